import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listCashAccounts as list } from '../../db/cash-accounts.ts'
import type { CashAccount } from '../../domain/cash.ts'
import { cashReach } from '../../domain/cash-reach.ts'

interface Asked {
  riderId?: string | undefined
  /** For operators, who see the live ones. */
  merchantId?: string | undefined
  page: Page
}

/** What riders have in hand, the largest sums first: of the merchant's cash, and for operators of everybody's. */
export async function listCashAccounts(
  ctx: Pick<Context, 'reads'>,
  by: By,
  { page, riderId, merchantId }: Asked,
): Promise<{ items: CashAccount[]; total: number }> {
  const filter = by.caller.kind === 'admin' ? { merchantId, isTest: false } : cashReach(by)
  return list(ctx.reads.in(by.scope).sql, { ...filter, riderId }, page)
}
