import { ServiceError } from '@svc/errors'
import type { Context } from '../context.ts'
import { isKnownMerchant } from '../db/merchants.ts'

/** Throws not_found for the id of no merchant. One that signed up a moment ago counts once its fact has arrived. */
export async function requireMerchantExists(ctx: Context, merchantId: string): Promise<void> {
  const isKnown = await ctx.transact('every tenant', (tx) => isKnownMerchant(tx, merchantId))
  if (!isKnown) throw new ServiceError('not_found')
}
