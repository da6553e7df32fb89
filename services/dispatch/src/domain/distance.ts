import type { Point } from './coverage.ts'

/** Of the sphere that ST_DistanceSphere measures on. */
const EARTH_RADIUS_M = 6_371_008.7714
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Metres between two points on a sphere, within 0.6 % of the way on the ellipsoid. */
export function metresBetween(a: Point, b: Point): number {
  const dLat = radians(b.lat - a.lat)
  const dLng = radians(b.lng - a.lng)
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLng / 2) ** 2
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)))
}
