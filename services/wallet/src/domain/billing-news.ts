import type { PaymentEvent } from '@svc/payments'
import { ignored, type Judgement, refused } from './judgement.ts'

/** What an event says of a subscription; what is absent it says nothing about. */
export interface BillingNews {
  planCode?: string | null
  periodEnd?: Date | null
  isNotRenewing?: boolean
  hasEnded?: boolean
  /** When an invoice that is paid was made. */
  lastPaidAt?: Date
  /** When an invoice whose payment failed was made. */
  lastFailedAt?: Date
}

const ENDED = new Set(['complete', 'completed', 'cancelled', 'canceled'])

/** What an event of the provider says of its subscription, or why it says nothing. */
export function newsOf({
  event,
  status,
  planCode,
  nextPaymentAt,
  isPaid,
  createdAt,
}: PaymentEvent): BillingNews | Judgement {
  switch (event) {
    case 'subscription.create':
      return { planCode, periodEnd: nextPaymentAt }
    case 'subscription.not_renew':
      return { planCode, isNotRenewing: true }
    case 'subscription.disable':
      return ENDED.has(status ?? '') ? { planCode, hasEnded: true } : ignored('subscription_goes_on')
    case 'invoice.create':
    case 'invoice.update':
      if (isPaid !== true) return ignored('unpaid_invoice')
      return createdAt ? { periodEnd: nextPaymentAt, lastPaidAt: createdAt } : refused('no_time')
    case 'invoice.payment_failed':
      return createdAt ? { lastFailedAt: createdAt } : refused('no_time')
    default:
      return ignored(event === 'subscription.expiring_cards' ? 'expiring_cards' : 'unknown_event')
  }
}
