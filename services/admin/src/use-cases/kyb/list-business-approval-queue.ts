import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { type QueuedApproval, queueOfApprovals } from '../../db/merchants.ts'
import type { Merchant } from '../../domain/merchant.ts'

/** Verified businesses that wait for approval, and those to which it was refused; what was touched longest ago first. */
export async function listBusinessApprovalQueue(
  ctx: Context,
  { scope }: By<'every tenant'>,
  { status, ...page }: Page & { status: QueuedApproval | undefined },
): Promise<{ merchants: Merchant[]; total: number }> {
  const [merchants, total] = await ctx.transact(scope, ({ em }) => queueOfApprovals(em, status, page))
  return { merchants, total }
}
