import { openIntent, type Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import type { WithdrawalRow } from '../../db/withdrawals.ts'
import { payoutReference } from '../../domain/withdrawal.ts'
import { enterStatus } from './enter-status.ts'

export const PAYOUT_INTENT = 'payout'

export interface PayoutPayload {
  attempt: number
}

/** The attempt has its reference from now on; nobody outside knows it yet. */
export function beginAttempt(
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  withdrawal: WithdrawalRow,
): Promise<WithdrawalRow> {
  return enterStatus(tx, withdrawal, 'processing', {
    provider_reference: payoutReference(withdrawal.id, withdrawal.attempt),
    submitted_at: null,
    verify_at: new Date(tx.now.getTime() + config.paymentSweepAfterMs),
  })
}

/** Settles that the attempt will be pursued at the provider. The caller holds the lock of the withdrawal. */
export async function pursueAttempt(tx: Tx, { id, owner_id, attempt }: WithdrawalRow): Promise<void> {
  const payload: PayoutPayload = { attempt }
  await openIntent(tx, { kind: PAYOUT_INTENT, subjectId: id, merchantId: owner_id, payload })
}
