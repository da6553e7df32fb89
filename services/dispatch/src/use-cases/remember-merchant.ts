import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import { systemCaller } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { lookAgainAtSwitched } from '../db/jobs.ts'
import { lockSettings } from '../db/merchant-rules.ts'
import { type FulfillmentMode, findMerchant, type KnownMerchant, saveMerchant } from '../db/merchants.ts'

/**
 * Takes over a merchant as it was at that version; an older one changes nothing. Orders that wait are looked at again
 * where automatic dispatch was switched on or off.
 */
export async function rememberMerchant(tx: Tx, merchant: Merchant, version: number): Promise<void> {
  await lockSettings(tx, merchant.id)
  if (await saveMerchant(tx, merchant, version))
    await lookAgainAtSwitched(tx, merchant.id, merchant.auto_dispatch_enabled)
}

/** What is known of a merchant; asked of admin where its fact is still on the way. Throws not_found for none. */
export async function merchantOf(
  { database, transact, merchants }: Pick<Context, 'database' | 'transact' | 'merchants'>,
  id: string,
): Promise<KnownMerchant> {
  const known = await findMerchant(database, id)
  if (known) return known
  const { merchant } = await merchants.as(systemCaller('dispatch')).getMerchant({ id, include_kyb_payload: false })
  await transact('every tenant', (tx) => rememberMerchant(tx, merchant!, merchant!.version))
  const { name, slug, currency, timezone, fulfillment_mode } = merchant!
  return { id, name, slug, currency, timezone, fulfillmentMode: fulfillment_mode as FulfillmentMode }
}
