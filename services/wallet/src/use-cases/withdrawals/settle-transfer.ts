import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import type { WithdrawalRow } from '../../db/withdrawals.ts'
import { transferEnd } from '../../domain/transfer-end.ts'
import { enterStatus } from './enter-status.ts'
import { payReserve, returnPayment, returnReserve } from './move-money.ts'

/** A transfer as the provider tells of it, asked or by a hook. */
export interface SeenTransfer {
  status: string
  amountMinor: number | null
  currency: string | null
}

export type Settled =
  | 'applied'
  /** It was known. */
  | 'repeated'
  /** It may still go either way. */
  | 'open'
  | 'amount_differs'
  /** It ended otherwise before; the first end stands. */
  | 'contradicts'

/** Lets what became of the latest attempt take effect, once. The caller holds the lock of the withdrawal. */
export async function settleTransfer(
  ctx: Pick<Context, 'logger'>,
  tx: Tx,
  withdrawal: WithdrawalRow,
  seen: SeenTransfer,
): Promise<Settled> {
  const settled = await settle(tx, withdrawal, seen)
  const alert = alertOf(settled, seen)
  if (alert) {
    const { id, provider_reference: reference, status, amount_minor, currency } = withdrawal
    ctx.logger.error(
      { alert, withdrawal: id, reference, status, amount_minor, currency, seen },
      'a payout needs a look',
    )
  }
  return settled
}

async function settle(tx: Tx, withdrawal: WithdrawalRow, seen: SeenTransfer): Promise<Settled> {
  if (seen.amountMinor !== withdrawal.amount_minor || seen.currency !== withdrawal.currency) return 'amount_differs'
  const end = transferEnd(seen.status)
  if (end === null) return 'open'

  if (withdrawal.status === 'processing') {
    if (end === 'paid') {
      await payReserve(tx, withdrawal)
      await enterStatus(tx, withdrawal, 'paid', { paid_at: tx.now })
    } else {
      await returnReserve(tx, withdrawal)
      await enterStatus(tx, withdrawal, 'failed', { failure_reason: seen.status })
    }
    return 'applied'
  }
  if (withdrawal.status === 'paid' && end === 'reversed') {
    await returnPayment(tx, withdrawal)
    await enterStatus(tx, withdrawal, 'failed', { failure_reason: 'reversed' })
    return 'applied'
  }
  return (withdrawal.status === 'paid') === (end === 'paid') ? 'repeated' : 'contradicts'
}

function alertOf(settled: Settled, { status }: SeenTransfer): string | null {
  if (settled === 'amount_differs') return 'payout_amount_differs'
  if (settled === 'contradicts') return 'payout_contradicted'
  // The provider waits for a code that nobody will enter: it was not sent.
  return settled === 'open' && (status === 'otp' || status === 'abandoned') ? 'payout_waits_for_code' : null
}
