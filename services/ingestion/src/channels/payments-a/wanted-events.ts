/** Events that move money, say how a subscription stands or what the provider found of a business. */
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
  'customeridentification.success',
  'customeridentification.failed',
])

/**
 * Why an event about the platform's account is a person's: a payer disputes what was credited, or got it back. What a
 * merchant's own account tells of these is that merchant's.
 */
export function forPerson(event: string): string | undefined {
  if (event.startsWith('charge.dispute.')) return 'payment_disputed'
  return event === 'refund.processed' ? 'payment_refunded' : undefined
}
