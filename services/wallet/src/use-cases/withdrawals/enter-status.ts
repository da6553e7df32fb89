import type { Tx } from '@svc/outbox'
import { storeWithdrawal, type WithdrawalChanges, type WithdrawalRow } from '../../db/withdrawals.ts'
import type { WithdrawalStatus } from '../../domain/withdrawal.ts'
import { withdrawalFact } from '../../events.ts'

/** Puts a locked withdrawal into a status and announces it, as one version. */
export async function enterStatus(
  tx: Tx,
  before: WithdrawalRow,
  status: WithdrawalStatus,
  changes: WithdrawalChanges = {},
): Promise<WithdrawalRow> {
  const after = { ...before, ...changes, status, version: before.version + 1 }
  await storeWithdrawal(tx, after)
  tx.publish(withdrawalFact(after))
  return after
}
