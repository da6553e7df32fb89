import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listWithdrawals as list, type WithdrawalFilter } from '../../db/withdrawals.ts'
import { ownerOf } from '../../domain/owner.ts'
import { requireWithdrawalsEnabled, type Withdrawal } from '../../domain/withdrawal.ts'

/** A page of withdrawals, newest first: operators see those of all owners, an owner its own; a sandbox has none. */
export async function listWithdrawals(
  ctx: Context,
  by: By,
  { page, ...filter }: WithdrawalFilter & { page: Page },
): Promise<{ items: Withdrawal[]; total: number }> {
  if (by.caller.kind === 'admin') return list(ctx.reads.in(by.scope).sql, filter, page)
  const { kind: ownerKind, id: ownerId } = ownerOf(by)
  requireWithdrawalsEnabled(ctx.config)
  if (by.caller.isTest === true) return { items: [], total: 0 }
  return list(ctx.reads.in(by.scope).sql, { status: filter.status, ownerKind, ownerId }, page)
}
