import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { findMerchant } from '../../db/merchants.ts'
import type { Merchant } from '../../domain/merchant.ts'

/** One merchant, for an operator or a service. */
export async function getMerchant(
  ctx: Context,
  _by: By<'every tenant'>,
  { id: merchantId }: { id: string },
): Promise<Merchant> {
  return ctx.transact({ merchantId, isTest: null }, (tx) => findMerchant(tx.em, merchantId))
}
