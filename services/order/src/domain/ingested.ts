import { ServiceError } from '@svc/errors'
import { ingestedFingerprint } from './fingerprint.ts'
import type { Order } from './order.ts'

/** By what a third party's order is known. */
export interface IngestedKey {
  merchantId: string
  /** Null: either environment. */
  isTest: boolean | null
  source: string
  externalOrderId: string
}

/** The one of the orders under a key that hooks made; throws not_found where there is none, duplicate_order where the API's is. */
export function ingestedOf(orders: readonly Order[], key: IngestedKey): Order {
  const fingerprint = ingestedFingerprint(key)
  const ingested = orders.find(({ requestFingerprint }) => requestFingerprint.equals(fingerprint))
  if (ingested) return ingested
  const [other] = orders
  if (!other) throw new ServiceError('not_found')
  const { id: order_id, externalOrderId: external_order_id, source } = other
  throw new ServiceError('duplicate_order', { details: { order_id, external_order_id, source } })
}
