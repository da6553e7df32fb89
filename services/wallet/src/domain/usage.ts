/** What a merchant pays deliveries by. */
export interface BillingTerms {
  tier: string
  /** Deliveries of a cycle that a hybrid tier comprises. */
  includedAllowance: number | null
  overageFeeMinor: number | null
}

export interface Usage {
  deliveriesUsed: number
  includedAllowance: number | null
  overageFeeMinor: number
  usagePercent: number | null
  isOverAllowance: boolean
}

/** A cycle's deliveries against the allowance, which only hybrid tiers have; of an allowance of 0 all is used. */
export function usageOf(deliveriesUsed: number, { tier, includedAllowance, overageFeeMinor }: BillingTerms): Usage {
  const allowance = tier === 'hybrid' ? includedAllowance : null
  return {
    deliveriesUsed,
    includedAllowance: allowance,
    overageFeeMinor: overageFeeMinor ?? 0,
    usagePercent: allowance === null ? null : percentOf(deliveriesUsed, allowance),
    isOverAllowance: allowance !== null && deliveriesUsed > allowance,
  }
}

/** With two decimals. */
const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 100 : Math.round((part / whole) * 10_000) / 100
