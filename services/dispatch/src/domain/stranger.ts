import type { Point } from './coverage.ts'
import { metresBetween } from './distance.ts'

/** How exactly merchants learn where riders are who have nothing to do with them. */
const GRAIN_M = 500
const METRES_PER_DEGREE = 111_195
/** Nearer to a pole a step east would be no step. */
const LEAST_COSINE = 0.01

/** What of a rider tells who and where it is. */
interface Person extends Point {
  name: string
  phone: string | null
  distanceM: number
}

/**
 * A rider as merchants see it of whose fleet it is not and whose order it does not have: the first name, no phone, the
 * place on a grid, and the distance to that place: a distance to the true one, asked for from many places, would tell it.
 */
export function asStranger<Rider extends Person>(rider: Rider, seenFrom: Point): Rider {
  return {
    ...rider,
    ...onGrid(rider),
    name: rider.name.trim().split(/\s+/)[0] ?? '',
    phone: null,
    distanceM: strangeDistance(rider, seenFrom),
  }
}

/** The distance to a rider as those learn it who may not know the place: to its place on the grid, and rounded. */
export const strangeDistance = (rider: Point, seenFrom: Point): number =>
  Math.round(metresBetween(seenFrom, onGrid(rider)) / GRAIN_M) * GRAIN_M

function onGrid({ lat, lng }: Point): Point {
  const latStep = GRAIN_M / METRES_PER_DEGREE
  const row = nearest(lat, latStep, 90)
  const lngStep = latStep / Math.max(Math.cos((row * Math.PI) / 180), LEAST_COSINE)
  return { lat: row, lng: nearest(lng, lngStep, 180) }
}

const nearest = (degrees: number, step: number, most: number): number => {
  const snapped = Number((Math.round(degrees / step) * step).toFixed(6))
  return Math.min(Math.max(snapped, -most), most)
}
