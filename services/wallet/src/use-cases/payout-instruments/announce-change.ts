import type { Caller } from '@svc/grpc'
import { auditOf, type Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import type { PayoutInstrumentRow } from '../../db/payout-instruments.ts'
import type { Owner } from '../../domain/operation.ts'

const HOUR_MS = 3_600_000

/** Until when a change of this moment freezes the owner's withdrawals; null where it does not. */
export function freezeFrom({ config }: Pick<Context, 'config'>, { now }: Tx, { kind }: Owner): Date | null {
  if (kind !== 'rider' || config.payoutFreezeHours === 0) return null
  return new Date(now.getTime() + config.payoutFreezeHours * HOUR_MS)
}

interface Change {
  action: 'payout_instrument.create' | 'payout_instrument.default'
  owner: Owner
  instrument: PayoutInstrumentRow
}

/** Leaves an audit row, and an alert where a rider's withdrawals are frozen by it. */
export function announceChange(ctx: Context, tx: Tx, caller: Caller, { action, owner, instrument }: Change): void {
  const { id, bank_code, account_last4, is_default, frozen_until } = instrument
  tx.publish(
    auditOf(caller, {
      action,
      resourceType: 'payout_instrument',
      resourceId: id,
      merchantId: owner.kind === 'merchant' ? owner.id : null,
      isTest: false,
      after: { owner_type: owner.kind, owner_id: owner.id, bank_code, account_last4, is_default, frozen_until },
    }),
  )
  if (owner.kind !== 'rider') return
  const alert = 'payout_instrument_changed'
  ctx.logger.warn({ alert, action, rider: owner.id, instrument: id, frozen_until }, 'a rider will be paid elsewhere')
}
