import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { pageMerchants as page } from '../../db/merchants.ts'
import type { Merchant } from '../../domain/merchant.ts'

/** Merchants in the order of their ids, from behind `after` on, for a service that learns of all. */
export const pageMerchants = (
  ctx: Context,
  by: By<'every tenant'>,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<Merchant[]> => ctx.transact(by.scope, ({ em }) => page(em, after, limit))
