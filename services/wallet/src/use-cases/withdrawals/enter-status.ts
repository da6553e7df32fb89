import { WithdrawalFact } from '@svc/contracts/wallet/v1/payout'
import type { Tx } from '@svc/outbox'
import { storeWithdrawal, type WithdrawalChanges, type WithdrawalRow } from '../../db/withdrawals.ts'
import type { WithdrawalStatus } from '../../domain/withdrawal.ts'
import { withdrawalMessage } from '../../messages/payout.ts'

/** Puts a locked withdrawal into a status and announces it, as one version. */
export async function enterStatus(
  tx: Tx,
  before: WithdrawalRow,
  status: WithdrawalStatus,
  changes: WithdrawalChanges = {},
): Promise<WithdrawalRow> {
  const after = { ...before, ...changes, status, version: before.version + 1 }
  await storeWithdrawal(tx, after)
  tx.publish({
    type: `withdrawal.${status === 'pending_review' ? 'requested' : status}`,
    aggregateType: 'withdrawal',
    aggregateId: after.id,
    aggregateVersion: after.version,
    merchantId: after.owner_kind === 'merchant' ? after.owner_id : null,
    isTest: false,
    payload: Buffer.from(WithdrawalFact.encode({ withdrawal: withdrawalMessage(after) }).finish()),
  })
  return after
}
