import { type By, riderOf } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listCashAccounts } from '../../db/cash-accounts.ts'
import type { CashAccount } from '../../domain/cash.ts'

/** What the calling rider has in hand, by merchant; the shared sandbox rider sees that of the merchant it is bound to. */
export async function getRiderCash(
  ctx: Pick<Context, 'reads'>,
  by: By,
  page: Page,
): Promise<{ items: CashAccount[]; total: number }> {
  const { isTest, merchantId } = by.caller
  const riderId = riderOf(by)
  if (isTest === true && merchantId === undefined) return { items: [], total: 0 }
  const filter = { riderId, isTest: isTest === true, ...(isTest === true && { merchantId }) }
  return listCashAccounts(ctx.reads.in('every tenant').sql, filter, page)
}
