import { systemCaller } from '@svc/grpc'
import type { Context } from '../context.ts'
import type { FulfillmentMode } from '../db/quotes.ts'
import { rememberMerchant } from './remember-merchant.ts'

export interface KnownMerchant {
  currency: string
  timezone: string
  fulfillmentMode: FulfillmentMode
}

/** What is known of a merchant; asked of admin where its fact is still on the way. Throws not_found for none. */
export async function merchantOf(
  { database, transact, merchants }: Pick<Context, 'database' | 'transact' | 'merchants'>,
  id: string,
): Promise<KnownMerchant> {
  const { rows } = await database.worker.query<KnownMerchant>(
    'SELECT currency, timezone, fulfillment_mode AS "fulfillmentMode" FROM merchants WHERE id = $1',
    [id],
  )
  if (rows[0]) return rows[0]
  const reader = { ...systemCaller('dispatch'), kind: 'admin' as const, permissions: ['admin.merchants.read'] }
  const { merchant } = await merchants.as(reader).getMerchant({ id, include_kyb_payload: false })
  await transact('every tenant', (tx) => rememberMerchant(tx, merchant!, merchant!.version))
  return {
    currency: merchant!.currency,
    timezone: merchant!.timezone,
    fulfillmentMode: merchant!.fulfillment_mode as FulfillmentMode,
  }
}
