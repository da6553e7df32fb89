import type { RateCard } from './rate-card.ts'

/** What many deliveries from one pickup cost, as far as is known beforehand. */
export interface Estimates {
  card: RateCard | null
  isPickupOutside: boolean
  /** In the order of the drop-offs; no fee without a pickup or a rate card, and while pricing is off. */
  fares: Array<{ isOutside: boolean; feeMinor: number | null }>
  minimumFeeMinor: number | null
  opensAt: Date | null
}
