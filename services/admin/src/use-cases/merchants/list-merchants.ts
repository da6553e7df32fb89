import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listMerchants as list, type MerchantFilter } from '../../db/merchants.ts'
import type { Merchant } from '../../domain/merchant.ts'

/** All merchants, newest first, for an operator. */
export async function listMerchants(
  ctx: Context,
  by: By<'every tenant'>,
  { limit, offset, ...filter }: MerchantFilter & Page,
): Promise<{ merchants: Merchant[]; total: number }> {
  const [merchants, total] = await ctx.transact(by.scope, ({ em }) => list(em, filter, { limit, offset }))
  return { merchants, total }
}
