import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { decided } from '../../db/decision.ts'
import {
  clearDefault,
  listPayoutInstruments,
  lockPayoutInstruments,
  makeDefault,
  type PayoutInstrumentRow,
} from '../../db/payout-instruments.ts'
import type { Owner } from '../../domain/operation.ts'
import { announceChange, freezeFrom } from './announce-change.ts'

/** Makes an instrument the default. A rider withdraws nothing for a while from then on; a repeat changes nothing. */
export async function setDefaultPayoutInstrument(
  ctx: Context,
  caller: Caller,
  owner: Owner,
  id: string,
): Promise<PayoutInstrumentRow> {
  return decided(
    ctx.transact('every tenant', async (tx) => {
      await lockPayoutInstruments(tx, owner)
      const chosen = (await listPayoutInstruments(tx.sql, owner)).find((one) => one.id === id)
      if (!chosen) throw new ServiceError('not_found')
      if (chosen.is_default) return chosen
      await clearDefault(tx, owner)
      const instrument = await makeDefault(tx, id, freezeFrom(ctx, tx, owner))
      announceChange(ctx, tx, caller, { action: 'payout_instrument.default', owner, instrument })
      return instrument
    }),
  )
}
