import type { CreateQuoteRequest, Fare } from '@svc/contracts/dispatch/v1/pricing_service'
import type { Tx } from '@svc/outbox'

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

export type FulfillmentMode = 'freelancer' | 'internal_fleet'

type Sql = Tx['sql']

const COLUMNS = `id, merchant_id AS "merchantId", is_test AS "isTest", fulfillment_mode AS "fulfillmentMode", request,
  fare, currency, created_at AS "createdAt", expires_at AS "expiresAt"`

/** A quote of the tenant, or null. */
export async function findQuote(sql: Sql, id: string): Promise<Quote | null> {
  const { rows } = await sql<Quote>(`SELECT ${COLUMNS} FROM quotes WHERE id = $1`, [id])
  return rows[0] ?? null
}

/** Stores a quote, and forgets those of its merchant that expired a day ago. */
export async function storeQuote(sql: Sql, quote: Quote): Promise<void> {
  await sql(`DELETE FROM quotes WHERE merchant_id = $1 AND expires_at < $2::timestamptz - interval '1 day'`, [
    quote.merchantId,
    quote.createdAt,
  ])
  await sql(
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
