import { validationError } from '@svc/errors'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listWithdrawals as list, type WithdrawalFilter, type WithdrawalRow } from '../../db/withdrawals.ts'
import type { Owner } from '../../domain/operation.ts'
import { PAYEES, WITHDRAWAL_STATUSES } from '../../domain/withdrawal.ts'

interface Listed {
  items: WithdrawalRow[]
  total: number
}

/** A page of an owner's withdrawals, newest first. */
export async function listOwnWithdrawals(
  ctx: Context,
  owner: Owner,
  status: string | undefined,
  page: Page,
): Promise<Listed> {
  requireKnown('status', status, WITHDRAWAL_STATUSES)
  const scope = owner.kind === 'merchant' ? { merchantId: owner.id, isTest: false } : 'every tenant'
  const filter = { ownerKind: owner.kind, ownerId: owner.id, status }
  return ctx.transact(scope, (tx) => list(tx.sql, filter, page))
}

/** For operators: a page of everybody's. */
export async function listAllWithdrawals(ctx: Context, filter: WithdrawalFilter, page: Page): Promise<Listed> {
  requireKnown('status', filter.status, WITHDRAWAL_STATUSES)
  requireKnown('owner_type', filter.ownerKind, PAYEES)
  return ctx.transact('every tenant', (tx) => list(tx.sql, filter, page))
}

function requireKnown(field: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return
  throw validationError([{ field, rule: 'enum', allowed, message: `${field} must be one of ${allowed.join(', ')}.` }])
}
