import { ServiceError } from '@svc/errors'
import { isUuid } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { findMerchant } from '../../db/merchants.ts'
import type { Merchant } from '../../domain/merchant.ts'

/** One merchant, for an operator. */
export async function getMerchant(ctx: Context, merchantId: string): Promise<Merchant> {
  if (!isUuid(merchantId)) throw new ServiceError('not_found')
  return ctx.transact({ merchantId, isTest: null }, (tx) => findMerchant(tx.em, merchantId))
}
