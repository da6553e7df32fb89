/** Topics that tell of orders, or of which a person must know; a post without one may be an order. */
export const WANTED_TOPICS: ReadonlySet<string> = new Set([
  '',
  'orders/create',
  'orders/paid',
  'orders/updated',
  'orders/cancelled',
  'orders/fulfilled',
  'orders/partially_fulfilled',
  'orders/delete',
  'orders/edited',
  'refunds/create',
  'customers/redact',
  'customers/data_request',
  'shop/redact',
])
