import type { Point } from './coverage.ts'
import { metresBetween } from './distance.ts'
import type { Job } from './job.ts'
import { isTerminal } from './terminal.ts'

/** A present position of a rider. */
export interface Move extends Point {
  riderId: string
  recordedAt: Date
}

export type Sighting = 'arrived_pickup' | 'departed' | 'arrived_dropoff'

export interface ProgressRules {
  /** Farther than this from the pickup a rider who has the parcel is under way; 0: never judged. */
  departureM: number
  arrivalM: number
}

export const pickupOf = (job: Job): Point | null =>
  job.pickupLat === null || job.pickupLng === null ? null : { lat: job.pickupLat, lng: job.pickupLng }
export const dropoffOf = (job: Job): Point | null =>
  job.dropoffLat === null || job.dropoffLng === null ? null : { lat: job.dropoffLat, lng: job.dropoffLng }

/** What the position shows of the order that it did not show before; each at most once per assignment. */
export function sightings(job: Job, move: Move, rules: ProgressRules): Sighting[] {
  if (job.riderId !== move.riderId || isTerminal(job.status)) return []
  const pickup = pickupOf(job)
  const dropoff = dropoffOf(job)
  const seen: Sighting[] = []
  if (job.status === 'accepted' && !job.arrivedPickupAt && pickup && metresBetween(move, pickup) <= rules.arrivalM) {
    seen.push('arrived_pickup')
  }
  // A position recorded before the collection says nothing about the way since.
  if (!job.pickedUpAt || move.recordedAt < job.pickedUpAt) return seen
  const isAway = pickup !== null && rules.departureM > 0 && metresBetween(move, pickup) > rules.departureM
  if (job.status === 'picked_up' && !job.departedAt && isAway) seen.push('departed')
  if (!job.arrivedDropoffAt && dropoff && metresBetween(move, dropoff) <= rules.arrivalM) seen.push('arrived_dropoff')
  return seen
}
