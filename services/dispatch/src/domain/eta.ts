import type { Eta } from '@svc/contracts/order/v1/order'
import type { Vehicle } from '@svc/parcel'
import type { Point } from './coverage.ts'
import { metresBetween } from './distance.ts'
import type { Job } from './job.ts'
import { dropoffOf, pickupOf } from './progress.ts'
import { isTerminal } from './terminal.ts'
import { travelSeconds } from './travel.ts'

/** Seconds per metre of road: what half of all legs stay below, and nine in ten. */
export interface Pace {
  p50: number
  p90: number
}

/** Where too little is learnt, nine in ten legs take at most this many times as long as half of them. */
const SLOW = 1.6
const KM = 1_000

/** The pace of a vehicle that too little is known about. */
export function tabledPace(vehicleType: Vehicle): Pace {
  const p50 = travelSeconds(KM, vehicleType) / KM
  return { p50, p90: p50 * SLOW }
}

/** What a rider spends at the pickup, in seconds. */
const HANDLING: Pace = { p50: 180, p90: 600 }
const later = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1_000)

/**
 * When the order is collected and delivered, seen from where its rider is; an end that lies behind is absent. Null while
 * it is not accepted, after its end, and where the way cannot be known.
 */
export function estimate(job: Job, position: Point | null, pace: Pace, roadFactor: number, now: Date): Eta | null {
  const dropoff = dropoffOf(job)
  const pickup = pickupOf(job)
  if (job.riderId === null || isTerminal(job.status)) return null
  const seconds = (from: Point, to: Point, of: 'p50' | 'p90') => metresBetween(from, to) * roadFactor * pace[of]
  if (job.pickedUpAt) {
    const from = position ?? pickup
    if (!from || !dropoff) return null
    return {
      dropoff_p50_at: later(now, seconds(from, dropoff, 'p50')).toISOString(),
      dropoff_p90_at: later(now, seconds(from, dropoff, 'p90')).toISOString(),
    }
  }
  if (!job.acceptedAt || !position || !pickup) return null
  const collected = (of: 'p50' | 'p90') =>
    new Date(Math.max(Number(later(now, seconds(position, pickup, of))), Number(job.scheduledPickupAt)))
  const delivered = (of: 'p50' | 'p90') => dropoff && later(collected(of), HANDLING[of] + seconds(pickup, dropoff, of))
  return {
    ...(job.arrivedPickupAt
      ? {}
      : { pickup_p50_at: collected('p50').toISOString(), pickup_p90_at: collected('p90').toISOString() }),
    dropoff_p50_at: delivered('p50')?.toISOString(),
    dropoff_p90_at: delivered('p90')?.toISOString(),
  }
}

/** True when an expected time came, went, or moved by at least so many seconds. */
export function hasMoved(before: Eta | null, now: Eta, seconds: number): boolean {
  const ends = ['pickup_p50_at', 'dropoff_p50_at'] as const
  return ends.some((end) => {
    const [was, is] = [before?.[end], now[end]]
    if (was === undefined || is === undefined) return was !== is
    return Math.abs(Date.parse(was) - Date.parse(is)) >= seconds * 1_000
  })
}
