import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import {
  clearDefault,
  listPayoutInstruments,
  lockPayoutInstruments,
  makeDefault,
  type PayoutInstrumentRow,
} from '../../db/payout-instruments.ts'
import { ownerOf } from '../../domain/owner.ts'
import { freezeFrom } from '../../domain/payout-freeze.ts'
import { payoutInstrumentAudit } from '../../events.ts'
import { announceChange } from './mail-change.ts'

/** Makes an instrument the default. Its owner withdraws nothing for a while from then on; a repeat changes nothing. */
export async function setDefaultPayoutInstrument(
  ctx: Context,
  by: By,
  { id }: { id: string },
): Promise<PayoutInstrumentRow> {
  const action = 'payout_instrument.default'
  const owner = ownerOf(by)
  return ctx.transact('every tenant', async (tx) => {
    await lockPayoutInstruments(tx, owner)
    const chosen = (await listPayoutInstruments(tx.sql, owner)).find((one) => one.id === id)
    if (!chosen) throw new ServiceError('not_found')
    if (chosen.is_default) return chosen
    await clearDefault(tx, owner)
    const instrument = await makeDefault(tx, id, freezeFrom(owner.kind, false, tx.now, ctx.config.payoutFreezeHours))
    tx.publish(payoutInstrumentAudit(by.caller, action, owner, instrument))
    await announceChange(ctx, tx, { action, owner, instrument, isFirst: false })
    return instrument
  })
}
