import { ServiceError } from '@svc/errors'
import { type By, merchantNamed } from '@svc/grpc'
import { commissionDefaults } from '../config.ts'
import type { Context } from '../context.ts'
import { findCommissionSettings, storeCommissionSettings } from '../db/commission-settings.ts'
import { isKnownMerchant } from '../db/merchants.ts'
import {
  type CommissionSettings,
  effectiveCommission,
  type KnownSettings,
  requireSensible,
} from '../domain/commission.ts'
import { commissionSettingsAudit } from '../events.ts'

/** Replaces a merchant's commission settings and leaves an audit row. */
export async function replaceCommissionSettings(
  ctx: Context,
  by: By,
  { merchantId: named, settings }: { merchantId: string; settings: CommissionSettings },
): Promise<KnownSettings> {
  const merchantId = merchantNamed(by, named)
  requireSensible(settings)
  return ctx.transact(by.scope, async (tx) => {
    if (!(await isKnownMerchant(tx, merchantId))) throw new ServiceError('not_found')
    const before = await findCommissionSettings(tx.sql, merchantId, { lock: true })
    const own = { ...settings, updatedAt: tx.now }
    await storeCommissionSettings(tx, merchantId, own)
    tx.publish(commissionSettingsAudit(by.caller, merchantId, before, own))
    return { own, effective: effectiveCommission(own, commissionDefaults(ctx.config)) }
  })
}
