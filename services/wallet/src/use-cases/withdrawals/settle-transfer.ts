import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import type { WithdrawalRow } from '../../db/withdrawals.ts'
import { nextLook } from '../../domain/paid-watch.ts'
import { transferEnd } from '../../domain/transfer-end.ts'
import { alertPayout, type SeenTransfer } from './alert-payout.ts'
import { enterStatus } from './enter-status.ts'
import { payReserve, returnPayment, returnReserve } from './move-money.ts'

export type Settled =
  | 'applied'
  /** It was known. */
  | 'repeated'
  /** It may still go either way. */
  | 'open'
  | 'amount_differs'
  /** It ended otherwise before; the first end stands. */
  | 'contradicts'

/**
 * Lets what became of the latest attempt take effect, once. Money leaves the wallet only for a transfer of the same amount,
 * and comes back from outside only by one; a reserve never left, and goes back whatever amount did not arrive. The caller
 * holds the lock of the withdrawal.
 */
export async function settleTransfer(
  ctx: Pick<Context, 'logger'>,
  tx: Tx,
  withdrawal: WithdrawalRow,
  seen: SeenTransfer,
): Promise<Settled> {
  const isSame = seen.amountMinor === withdrawal.amount_minor && seen.currency === withdrawal.currency
  const settled = await settle(tx, withdrawal, seen.status, isSame)
  if (settled === 'contradicts') alertPayout(ctx, 'payout_contradicted', withdrawal, seen)
  else if (!isSame && settled !== 'repeated') alertPayout(ctx, 'payout_amount_differs', withdrawal, seen)
  else if (settled === 'open' && seen.status === 'otp') alertPayout(ctx, 'payout_waits_for_code', withdrawal, seen)
  return settled
}

async function settle(tx: Tx, withdrawal: WithdrawalRow, told: string, isSame: boolean): Promise<Settled> {
  const end = transferEnd(told)
  if (end === null) return isSame ? 'open' : 'amount_differs'
  if (end === 'paid' && !isSame) return 'amount_differs'

  if (withdrawal.status === 'processing') {
    if (end === 'paid') {
      await payReserve(tx, withdrawal)
      await enterStatus(tx, withdrawal, 'paid', { paid_at: tx.now, verify_at: nextLook(tx.now, tx.now) })
    } else {
      await returnReserve(tx, withdrawal)
      await enterStatus(tx, withdrawal, 'failed', { failure_reason: told, verify_at: null })
    }
    return 'applied'
  }
  if (withdrawal.status === 'paid' && end === 'reversed') {
    if (!isSame) return 'amount_differs'
    await returnPayment(tx, withdrawal)
    await enterStatus(tx, withdrawal, 'failed', { failure_reason: 'reversed', paid_at: null, verify_at: null })
    return 'applied'
  }
  return (withdrawal.status === 'paid') === (end === 'paid') ? 'repeated' : 'contradicts'
}
