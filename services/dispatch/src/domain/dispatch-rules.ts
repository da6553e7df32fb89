/** What the operator decided for every merchant. */
export interface DispatchRules {
  leadMs: number
  offerTtlMs: number
  /** When a search without acceptance is announced as delayed, and as exhausted. */
  delayedAfterMs: number
  exhaustedAfterMs: number
  /** Between the tries of an exhausted search. */
  retryMs: number
  /** Of the rounds of one pass. */
  radiiM: readonly number[]
  loadPenaltyM: number
  maxActiveOrders: number
  /** Cash that one rider may have in hand and yet to collect; null: any. */
  codCapMinor: number | null
  maxLocationAgeSeconds: number
  kycRequired: boolean
}

/** What a merchant decided for its orders. */
export interface MerchantRules {
  autoDispatch: boolean
  mode: 'one_by_one' | 'batch' | 'broadcast'
  batchSize: number
  fleetOnly: boolean
}
