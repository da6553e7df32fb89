/** What an order costs, fixed when it is created. */
export interface Price {
  /** Null where no fee was priced: a point is missing, pricing is off, or a quote without one was pinned. */
  fee: { feeMinor: number; currency: string; rateCardId: string; rateCardVersion: number } | null
  quoteId: string | null
  /** The merchant delivers by its own fleet, which costs it nothing here. */
  isOwnFleet: boolean
}
