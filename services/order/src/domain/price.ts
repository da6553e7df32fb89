/** What an order costs, fixed when it is created. */
export interface Price {
  /** Null where no fee was priced: the merchant's own fleet delivers, or only a quote without one was pinned. */
  fee: { feeMinor: number; currency: string; rateCardId: string; rateCardVersion: number } | null
  quoteId: string | null
}
