import type { By } from '@svc/grpc'
import { commissionDefaults } from '../config.ts'
import type { Context } from '../context.ts'
import { findCommissionSettings } from '../db/commission-settings.ts'
import { currencyOf } from '../db/merchants.ts'
import {
  type CommissionedOrder,
  effectiveCommission,
  type PlannedCommission,
  planCommission as plan,
} from '../domain/commission.ts'

/** What entering a status means in money, by the merchant's settings of this moment. Moves nothing. */
export async function planCommission(
  ctx: Context,
  { scope }: By,
  { merchantId, ...order }: CommissionedOrder & { merchantId: string },
): Promise<PlannedCommission> {
  return ctx.transact(scope, async (tx) => {
    const own = await findCommissionSettings(tx.sql, merchantId)
    const settings = effectiveCommission(own, commissionDefaults(ctx.config))
    const { requirePaymentVerified } = settings
    return { ...plan(order, settings), currency: await currencyOf(tx, merchantId), requirePaymentVerified }
  })
}
