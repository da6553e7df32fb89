import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import {
  approversOf,
  decideWithdrawal,
  enterStatus,
  findWithdrawal,
  lockPayee,
  storeApproval,
  storeWithdrawal,
  takesTwoOperators,
} from '../../db/withdrawals.ts'
import { requireStatus, type Withdrawal } from '../../domain/withdrawal.ts'
import { withdrawalAudit } from '../../events.ts'
import { isSecondPerson } from '../../peers/second-person.ts'
import { pursueAttempt } from './transfer.ts'

/**
 * An operator approves. Where the payee would get more than the four-eyes limit within a day, the withdrawal waits for a
 * second operator, who was there before it and whom the first did not make.
 */
export async function approveWithdrawal(ctx: Context, by: By, { id }: { id: string }): Promise<Withdrawal> {
  const { caller } = by
  const others = await otherPeople(ctx, by, id)
  const after = await decideWithdrawal(ctx, id, async (tx, withdrawal) => {
    requireStatus(withdrawal, 'pending_review')
    const earlier = await approversOf(tx, id)
    if (!earlier.every((approver) => others.has(approver))) throw new ServiceError('second_approver_required')
    await storeApproval(tx, id, caller.actor.id)
    await lockPayee(tx, withdrawal)
    const approvals = withdrawal.approvals + 1
    const needed = (await takesTwoOperators(tx, withdrawal, ctx.config.fourEyesAboveMinor)) ? 2 : 1
    const changes = { approvals, reviewedBy: caller.actor.id, reviewedAt: tx.now }
    const reviewed =
      approvals < needed
        ? await storeFirst(tx, { ...withdrawal, approvals })
        : await enterStatus(tx, withdrawal, 'approved', changes)
    if (reviewed.status === 'approved') await pursueAttempt(tx, reviewed)
    tx.publish(withdrawalAudit(caller, 'withdrawal.approve', withdrawal, reviewed))
    return reviewed
  })
  ctx.intents.wake()
  return after
}

/** Of those who have approved so far, whom the caller counts beside. An approval that comes later is none of them. */
async function otherPeople(ctx: Context, by: By, id: string): Promise<Set<string>> {
  const others = new Set<string>()
  const seen = await ctx.transact('every tenant', async (tx) => {
    const withdrawal = await findWithdrawal(tx, id)
    return withdrawal?.status === 'pending_review' ? { withdrawal, approvers: await approversOf(tx, id) } : null
  })
  for (const approver of seen?.approvers ?? [])
    if (seen && (await isSecondPerson(ctx, by, approver, seen.withdrawal))) others.add(approver)
  return others
}

async function storeFirst(tx: Tx, withdrawal: Withdrawal): Promise<Withdrawal> {
  await storeWithdrawal(tx, withdrawal)
  return withdrawal
}
