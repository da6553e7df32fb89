import { VEHICLES, type Vehicle } from '@svc/parcel'
import type { DispatchRules, MerchantRules } from './dispatch-rules.ts'

/** A rider as a round sees it. */
export interface Candidate {
  riderId: string
  /** Of the merchant's own fleet. */
  isFleet: boolean
  isOnline: boolean
  kycStatus: string
  vehicleType: Vehicle
  lastCompletedAt: Date | null
  activeOrders: number
  /** Those of them that take capacity from the merchant. */
  bindingOrders: number
  /** Cash that the rider has in hand and the binding ones have to collect. */
  codMinor: number
  /** Null without a position. */
  distanceM: number | null
  /** The same as those learn it who may not know the place. */
  strangeDistanceM: number | null
  locationAgeSeconds: number | null
}

export type LeftOut =
  | 'already_offered'
  | 'offline'
  | 'stale_location'
  | 'kyc'
  | 'vehicle'
  | 'out_of_reach'
  | 'cod_cap'
  | 'at_capacity'

/** What a round looks for. */
export interface Sought {
  radiusM: number
  vehicleType: Vehicle | null
  /** Cash that this order has to collect. */
  codMinor: number
  /** Riders to whom this order was offered before. */
  offered: ReadonlySet<string>
}

/** The vehicles that carry what needs at least this one. */
export const vehiclesFor = (least: Vehicle): readonly Vehicle[] => VEHICLES.slice(VEHICLES.indexOf(least))

/** Whether an order would bring a rider's cash above the cap; one without cash never does. */
export const isAboveCap = (carriedMinor: number, addedMinor: number, capMinor: number | null): boolean =>
  capMinor !== null && addedMinor > 0 && carriedMinor + addedMinor > capMinor

/** Why the rider cannot be asked; null: the rider can. */
export function leftOut(candidate: Candidate, sought: Sought, rules: DispatchRules): LeftOut | null {
  const { distanceM, locationAgeSeconds, vehicleType } = candidate
  if (sought.offered.has(candidate.riderId)) return 'already_offered'
  if (!candidate.isOnline) return 'offline'
  if (distanceM === null || locationAgeSeconds === null) return 'stale_location'
  if (locationAgeSeconds > rules.maxLocationAgeSeconds) return 'stale_location'
  if (rules.kycRequired && candidate.kycStatus !== 'approved') return 'kyc'
  if (sought.vehicleType && !vehiclesFor(sought.vehicleType).includes(vehicleType)) return 'vehicle'
  if (distanceM > sought.radiusM) return 'out_of_reach'
  if (isAboveCap(candidate.codMinor, sought.codMinor, rules.codCapMinor)) return 'cod_cap'
  return candidate.bindingOrders >= rules.maxActiveOrders ? 'at_capacity' : null
}

/** Virtual metres: the way to the pickup and what the load adds. */
export function score(candidate: Pick<Candidate, 'distanceM' | 'activeOrders'>, loadPenaltyM: number) {
  const distance_m = candidate.distanceM ?? 0
  const load_penalty_m = candidate.activeOrders * loadPenaltyM
  return { scoreM: distance_m + load_penalty_m, parts: { distance_m, load_penalty_m } }
}

/** The own fleet first; then the lowest score, then who has waited longest since the last completed order, then the id. */
export function byRank(loadPenaltyM: number) {
  const scoreOf = (candidate: Candidate) => score(candidate, loadPenaltyM).scoreM
  const idleSince = ({ lastCompletedAt }: Candidate) => Number(lastCompletedAt ?? 0)
  return (a: Candidate, b: Candidate): number =>
    Number(b.isFleet) - Number(a.isFleet) ||
    scoreOf(a) - scoreOf(b) ||
    idleSince(a) - idleSince(b) ||
    (a.riderId < b.riderId ? -1 : 1)
}

/** Who of the ranked riders is asked at once: by the merchant's mode, freelancers only when no one of the fleet is left. */
export function askedTogether(ranked: readonly Candidate[], merchant: MerchantRules): Candidate[] {
  const first = ranked[0]
  if (!first) return []
  const tier = ranked.filter(({ isFleet }) => isFleet === first.isFleet)
  switch (merchant.mode) {
    case 'broadcast':
      return tier
    case 'batch':
      return tier.slice(0, merchant.batchSize)
    default:
      return tier.slice(0, 1)
  }
}
