import type { Context } from '../context.ts'
import { findCommissionSettings } from '../db/commission-settings.ts'
import { currencyOf } from '../db/merchants.ts'
import {
  type CommissionedOrder,
  type CommissionPlan,
  type CommissionSettings,
  type EffectiveCommission,
  effectiveCommission,
  planCommission as plan,
} from '../domain/commission.ts'

export interface PlannedCommission extends CommissionPlan {
  currency: string
  requirePaymentVerified: boolean
}

/** What entering a status means in money, by the merchant's settings of this moment. Moves nothing. */
export async function planCommission(
  ctx: Context,
  merchantId: string,
  order: CommissionedOrder,
): Promise<PlannedCommission> {
  return ctx.transact('every tenant', async (tx) => {
    const settings = withDefaults(ctx, await findCommissionSettings(tx.sql, merchantId))
    const { requirePaymentVerified } = settings
    return { ...plan(order, settings), currency: await currencyOf(tx, merchantId), requirePaymentVerified }
  })
}

/** A merchant's settings where it has them, the operator's elsewhere. */
export function withDefaults({ config }: Pick<Context, 'config'>, own: CommissionSettings): EffectiveCommission {
  return effectiveCommission(own, {
    automation: config.commissionAutomation,
    triggerStatuses: config.commissionTriggerStatuses,
    merchantDebit: config.commissionMerchantDebit,
    requirePaymentVerified: config.commissionRequirePaymentVerified,
    defaultMinor: config.defaultCommissionMinor,
  })
}
