import { ServiceError } from '@svc/errors'
import { type By, merchantNamed } from '@svc/grpc'
import { commissionDefaults } from '../config.ts'
import type { Context } from '../context.ts'
import { findCommissionSettings } from '../db/commission-settings.ts'
import { isKnownMerchant } from '../db/merchants.ts'
import { effectiveCommission, type KnownSettings } from '../domain/commission.ts'

/** A merchant's commission settings and what they come to; throws not_found for the id of no merchant. */
export async function getCommissionSettings(
  ctx: Context,
  by: By,
  { merchantId: named }: { merchantId: string },
): Promise<KnownSettings> {
  const merchantId = merchantNamed(by, named)
  return ctx.transact(by.scope, async (tx) => {
    if (!(await isKnownMerchant(tx, merchantId))) throw new ServiceError('not_found')
    const own = await findCommissionSettings(tx.sql, merchantId)
    return { own, effective: effectiveCommission(own, commissionDefaults(ctx.config)) }
  })
}
