/** What is known of a subscription at the payment provider, or stands for a payment that has none. Each field only grows. */
export interface SubscriptionState {
  periodEnd: Date | null
  hasEnded: boolean
  /** When the newest invoice that is paid was made. */
  lastPaidAt: Date | null
  /** When the newest invoice whose payment failed was made. */
  lastFailedAt: Date | null
}

/** What a merchant's subscriptions come to. */
export interface BillingStanding {
  billingStatus: 'active' | 'past_due' | 'canceled'
  periodEnd: Date | null
}

/**
 * Where a merchant stands: by the best of its subscriptions. Null for a merchant that never had any. Depends on what is
 * known alone, not on the order in which it came.
 */
export function standingOf(subscriptions: readonly SubscriptionState[]): BillingStanding | null {
  const ended = subscriptions.filter(({ hasEnded }) => hasEnded)
  const live = subscriptions.filter(({ hasEnded }) => !hasEnded)
  const active = live.filter((subscription) => !isPastDue(subscription))
  if (active.length > 0) return { billingStatus: 'active', periodEnd: latestEnd(active) }
  if (live.length > 0) return { billingStatus: 'past_due', periodEnd: latestEnd(live) }
  return ended.length > 0 ? { billingStatus: 'canceled', periodEnd: latestEnd(ended) } : null
}

/** An invoice whose payment failed counts until it, or a newer one, is paid. */
export const isPastDue = ({ lastPaidAt, lastFailedAt }: SubscriptionState): boolean =>
  lastFailedAt !== null && (lastPaidAt === null || lastPaidAt < lastFailedAt)

const latestEnd = (subscriptions: readonly SubscriptionState[]): Date | null =>
  subscriptions.reduce<Date | null>(
    (latest, { periodEnd }) => (periodEnd && (latest === null || periodEnd > latest) ? periodEnd : latest),
    null,
  )
