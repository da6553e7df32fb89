import type { By, Tenant } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { cashAccountIdsOf, cashTotals, listCashEntries } from '../../db/cash-statement.ts'
import type { CashEntry, CashTotal } from '../../domain/cash.ts'

interface Asked {
  riderId?: string | undefined
  since?: string | undefined
  until?: string | undefined
  page: Page
}

/** A page of what became of the merchant's cash, newest first, and the sums of its cash accounts. */
export async function getCashStatement(
  ctx: Pick<Context, 'reads' | 'totals' | 'settledTotals'>,
  { scope }: By<Tenant>,
  { page, ...asked }: Asked,
): Promise<{ items: CashEntry[]; total: number; totals: CashTotal[] }> {
  const { sql } = ctx.reads.in(scope)
  const filter = { ...asked, merchantId: scope.merchantId, isTest: scope.isTest === true }
  const { riderId } = asked
  const accountIds =
    riderId === undefined ? null : await cashAccountIdsOf(ctx.reads.in('every tenant').sql, { ...filter, riderId })
  const entries = await listCashEntries({ ...ctx, sql }, filter, page, accountIds)
  return { ...entries, totals: await cashTotals(sql, filter) }
}
