import type { CreateQuoteRequest, Fare } from '@svc/contracts/dispatch/v1/pricing_service'
import type { FulfillmentMode } from './merchants.ts'
import { rowOf, type Source, write } from './rows.ts'

export interface Quote {
  id: string
  merchantId: string
  isTest: boolean
  fulfillmentMode: FulfillmentMode
  /** What was asked. */
  request: CreateQuoteRequest
  /** What was answered; null for the merchant's own fleet. */
  fare: Fare | null
  currency: string
  createdAt: Date
  expiresAt: Date
}

/** A quote of the tenant, or null. */
export const findQuote = (source: Source, id: string): Promise<Quote | null> =>
  rowOf<Quote>(
    source,
    `SELECT id, merchant_id, is_test, fulfillment_mode, request, fare, currency, created_at, expires_at
       FROM quotes WHERE id = $1`,
    [id],
  )

/** Stores a quote. */
export async function storeQuote(source: Source, quote: Quote): Promise<void> {
  await write(
    source,
    `INSERT INTO quotes (id, merchant_id, is_test, fulfillment_mode, request, fare, currency, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      quote.id,
      quote.merchantId,
      quote.isTest,
      quote.fulfillmentMode,
      JSON.stringify(quote.request),
      quote.fare && JSON.stringify(quote.fare),
      quote.currency,
      quote.createdAt,
      quote.expiresAt,
    ],
  )
}
