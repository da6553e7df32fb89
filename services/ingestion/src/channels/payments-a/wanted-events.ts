/** Events that move money or say how a subscription stands. */
export const WANTED_EVENTS: ReadonlySet<string> = new Set([
  'charge.success',
  'transfer.success',
  'transfer.failed',
  'transfer.reversed',
  'subscription.create',
  'subscription.not_renew',
  'subscription.disable',
  'invoice.create',
  'invoice.update',
  'invoice.payment_failed',
])
