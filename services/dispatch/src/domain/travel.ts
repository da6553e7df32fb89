import type { Vehicle } from '@svc/parcel'
import type { Point } from './coverage.ts'

/** From a pickup to a drop-off. */
export interface Way {
  pickup: Point
  dropoff: Point
  /** The shortest line over the ellipsoid. */
  geodesicMetres: number
}

/** A way by road. */
export interface Leg {
  metres: number
  seconds: number
  /** geodesic: estimated from the distance as the crow flies. */
  source: 'geodesic' | 'router'
}

/** In a city, with its traffic, stops included. */
const SPEED_KMH: Record<Vehicle, number> = { motorcycle: 28, car: 22, van: 20, truck: 16 }

/** Seconds that a vehicle usually takes for so many metres of road. */
export const travelSeconds = (metres: number, vehicle: Vehicle): number =>
  Math.round(metres / (SPEED_KMH[vehicle] / 3.6))

/** The way by road as it is estimated from the shortest line over the ellipsoid. */
export function estimatedLeg(geodesicMetres: number, roadFactor: number, vehicle: Vehicle): Leg {
  const metres = Math.round(geodesicMetres * roadFactor)
  return { metres, seconds: travelSeconds(metres, vehicle), source: 'geodesic' }
}
