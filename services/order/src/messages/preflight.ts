import type { PreflightOrderResponse } from '@svc/contracts/order/v1/order_service'
import type { ServiceError } from '@svc/errors'
import type { Price } from '../domain/price.ts'

/** What a creation would be refused for, and what the order would cost → message */
export const preflightMessage = ({
  refusals,
  price,
  warnings,
}: {
  refusals: readonly ServiceError[]
  price: Price | null
  warnings: string[]
}): PreflightOrderResponse => ({
  warnings,
  failures: refusals.map(({ code, message, details = {} }) => ({
    error: code,
    message,
    details_json: JSON.stringify(details),
  })),
  quote: price?.fee
    ? {
        fee_minor: price.fee.feeMinor,
        currency: price.fee.currency,
        quote_id: price.quoteId ?? undefined,
        rate_card_id: price.fee.rateCardId,
        rate_card_version: price.fee.rateCardVersion,
      }
    : undefined,
})
