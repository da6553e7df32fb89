import type { CreateQuoteResponse, InternalRouting, QuoteFunds } from '@svc/contracts/dispatch/v1/pricing_service'
import type { Quote } from '../db/quotes.ts'

/** A quote with what is told once, when it is made. */
export interface MadeQuote {
  quote: Quote
  routing: InternalRouting | null
  /** Whether the merchant can bear it now; null for its own fleet. */
  funds: QuoteFunds | null
}

export const quoteMessage = ({ quote, routing, funds }: MadeQuote): CreateQuoteResponse => ({
  quote_id: quote.id,
  fulfillment_mode: quote.fulfillmentMode,
  fare: quote.fare ?? undefined,
  internal_routing: routing ?? undefined,
  currency: quote.currency,
  expires_at: quote.expiresAt.toISOString(),
  wallet: funds ?? undefined,
})
