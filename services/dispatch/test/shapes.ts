import type { ZoneInput } from '@svc/contracts/dispatch/v1/place_service'

export type Ring = Array<[lng: number, lat: number]>

/** The outline of a rectangle. */
export const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

export const polygon = (...rings: Ring[]) => ({ type: 'Polygon', coordinates: rings })
export const multiPolygon = (...polygons: Ring[][]) => ({ type: 'MultiPolygon', coordinates: polygons })

/** A ring around a point with so many positions. */
export function circle(lng: number, lat: number, radius: number, positions: number): Ring {
  const around = Array.from({ length: positions - 1 }, (_, index): [number, number] => {
    const angle = (2 * Math.PI * index) / (positions - 1)
    return [lng + radius * Math.cos(angle), lat + radius * Math.sin(angle)]
  })
  return [...around, around[0] as [number, number]]
}

/** An active zone of that outline. */
export const zone = (name: string, geometry: object, more: Partial<ZoneInput> = {}): ZoneInput => ({
  name,
  active: true,
  priority: 0,
  geometry_json: JSON.stringify(geometry),
  ...more,
})
