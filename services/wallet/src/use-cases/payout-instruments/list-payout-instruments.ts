import type { Context } from '../../context.ts'
import { listPayoutInstruments as list, type PayoutInstrumentRow } from '../../db/payout-instruments.ts'
import type { Owner } from '../../domain/operation.ts'

/** All instruments of an owner, newest first. */
export function listPayoutInstruments(ctx: Context, owner: Owner): Promise<PayoutInstrumentRow[]> {
  const scope = owner.kind === 'merchant' ? { merchantId: owner.id, isTest: false } : 'every tenant'
  return ctx.transact(scope, (tx) => list(tx.sql, owner))
}
