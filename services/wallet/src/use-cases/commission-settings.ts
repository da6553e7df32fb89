import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findCommissionSettings, storeCommissionSettings } from '../db/commission-settings.ts'
import { isKnownMerchant } from '../db/merchants.ts'
import { type CommissionSettings, type EffectiveCommission, requireSensible } from '../domain/commission.ts'
import { commissionSettingsAudit } from '../events.ts'
import { withDefaults } from './plan-commission.ts'

export interface ReadSettings {
  own: CommissionSettings
  effective: EffectiveCommission
}

/** A merchant's commission settings and what they come to; throws not_found for the id of no merchant. */
export async function getCommissionSettings(ctx: Context, merchantId: string): Promise<ReadSettings> {
  return ctx.transact('every tenant', async (tx) => {
    if (!(await isKnownMerchant(tx, merchantId))) throw new ServiceError('not_found')
    const own = await findCommissionSettings(tx.sql, merchantId)
    return { own, effective: withDefaults(ctx, own) }
  })
}

/** Replaces a merchant's commission settings and leaves an audit row. */
export async function replaceCommissionSettings(
  ctx: Context,
  caller: Caller,
  merchantId: string,
  wanted: CommissionSettings,
): Promise<ReadSettings> {
  requireSensible(wanted)
  return ctx.transact('every tenant', async (tx) => {
    if (!(await isKnownMerchant(tx, merchantId))) throw new ServiceError('not_found')
    const before = await findCommissionSettings(tx.sql, merchantId, { lock: true })
    const own = { ...wanted, updatedAt: tx.now }
    await storeCommissionSettings(tx, merchantId, own)
    tx.publish(commissionSettingsAudit(caller, merchantId, before, own))
    return { own, effective: withDefaults(ctx, own) }
  })
}
