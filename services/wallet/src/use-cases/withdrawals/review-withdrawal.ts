import { ServiceError, validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { storeApproval, storeWithdrawal, type WithdrawalRow } from '../../db/withdrawals.ts'
import { withdrawalAudit } from '../../events.ts'
import { decideWithdrawal, requireStatus } from './decide-withdrawal.ts'
import { enterStatus } from './enter-status.ts'
import { returnReserve } from './move-money.ts'
import { pursueAttempt } from './payout-attempt.ts'

/** An operator approves; above the four-eyes limit the withdrawal waits until a second one does. */
export async function approveWithdrawal(ctx: Context, operator: Caller, id: string): Promise<WithdrawalRow> {
  const after = await decideWithdrawal(ctx, id, async (tx, withdrawal) => {
    requireStatus(withdrawal, 'pending_review')
    if (!(await storeApproval(tx, id, operator.actor.id))) throw new ServiceError('second_approver_required')
    const approvals = withdrawal.approvals + 1
    const needed = withdrawal.amount_minor > ctx.config.fourEyesAboveMinor ? 2 : 1
    const reviewed =
      approvals < needed
        ? await storeFirst(tx, { ...withdrawal, approvals })
        : await enterStatus(tx, withdrawal, 'approved', { approvals, ...reviewedBy(operator, tx) })
    if (reviewed.status === 'approved') await pursueAttempt(tx, reviewed)
    tx.publish(withdrawalAudit(operator, 'withdrawal.approve', withdrawal, reviewed))
    return reviewed
  })
  ctx.intents.wake()
  return after
}

async function storeFirst(tx: Tx, withdrawal: WithdrawalRow): Promise<WithdrawalRow> {
  await storeWithdrawal(tx, withdrawal)
  return withdrawal
}

const MAX_REASON_LENGTH = 512

/** An operator rejects: the reserve goes back, and the owner is told why. */
export async function rejectWithdrawal(
  ctx: Context,
  operator: Caller,
  id: string,
  reason: string | undefined,
): Promise<WithdrawalRow> {
  if (reason !== undefined && (reason === '' || reason.length > MAX_REASON_LENGTH)) {
    const message = `reason must be 1 to ${MAX_REASON_LENGTH} characters.`
    throw validationError([{ field: 'reason', rule: 'length', limit: MAX_REASON_LENGTH, message }])
  }
  return decideWithdrawal(ctx, id, async (tx, withdrawal) => {
    requireStatus(withdrawal, 'pending_review')
    await returnReserve(tx, withdrawal)
    const changes = { failure_reason: reason ?? 'rejected', ...reviewedBy(operator, tx) }
    const rejected = await enterStatus(tx, withdrawal, 'rejected', changes)
    tx.publish(withdrawalAudit(operator, 'withdrawal.reject', withdrawal, rejected))
    return rejected
  })
}

const reviewedBy = ({ actor }: Caller, { now }: Tx) => ({ reviewed_by: actor.id, reviewed_at: now })
