import { metresBetween } from './distance.ts'
import type { Job } from './job.ts'
import { dropoffOf, pickupOf } from './progress.ts'

/** A completed way of a rider, from which speeds are learnt. */
export interface Leg {
  leg: 'pickup' | 'dropoff'
  metres: number
  seconds: number
  /** 0 is Monday 00:00 UTC. */
  hourOfWeek: number
}

const MIN_METRES = 200
const MIN_SECONDS = 30
const MAX_SPEED_MPS = 40
const MIN_SPEED_MPS = 0.5

/** The leg that ended at that moment by road, or null where it says nothing about speeds: too short, or not ridden. */
export function completedLeg(job: Job, leg: 'pickup' | 'dropoff', at: Date, roadFactor: number): Leg | null {
  const [pickup, dropoff] = [pickupOf(job), dropoffOf(job)]
  const straight = leg === 'pickup' ? job.pickupLegMetres : pickup && dropoff && metresBetween(pickup, dropoff)
  const since = leg === 'pickup' ? job.acceptedAt : job.pickedUpAt
  if (job.isTest || straight === null || !since) return null
  const seconds = (at.getTime() - since.getTime()) / 1_000
  const metres = straight * roadFactor
  if (straight < MIN_METRES || seconds < MIN_SECONDS) return null
  if (metres / seconds > MAX_SPEED_MPS || metres / seconds < MIN_SPEED_MPS) return null
  return { leg, metres, seconds, hourOfWeek: hourOfWeek(at) }
}

/** 0 is Monday 00:00 UTC. */
export const hourOfWeek = (at: Date): number => ((at.getUTCDay() + 6) % 7) * 24 + at.getUTCHours()
