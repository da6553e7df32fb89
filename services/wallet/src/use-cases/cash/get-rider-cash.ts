import { type By, riderOf } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listCashAccounts } from '../../db/cash-accounts.ts'
import type { CashAccount } from '../../domain/cash.ts'
import { reachesOneMerchant } from '../../domain/cash-reach.ts'

/** What the calling rider has in hand, by merchant; a token that is bound to a merchant shows that of this one. */
export async function getRiderCash(
  ctx: Pick<Context, 'reads'>,
  by: By,
  page: Page,
): Promise<{ items: CashAccount[]; total: number }> {
  const { isTest, merchantId } = by.caller
  const riderId = riderOf(by)
  const isBound = reachesOneMerchant(by.caller)
  if (isBound && merchantId === undefined) return { items: [], total: 0 }
  const filter = { riderId, isTest: isTest === true, ...(isBound && { merchantId }) }
  return listCashAccounts(ctx.reads.in('every tenant').sql, filter, page)
}
