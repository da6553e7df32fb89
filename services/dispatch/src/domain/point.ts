import { type FieldFault, refuseFaults, validationError } from '@svc/errors'
import type { NamedPoint, Point, PointName } from './coverage.ts'

/** The points of a request that are given, pickup first; throws validation_error for what is no place on earth. */
export function readPoints(given: Partial<Record<PointName, Point | undefined>>): NamedPoint[] {
  const points = (['pickup', 'dropoff', 'point'] as const).flatMap((name) => {
    const point = given[name]
    return point ? [{ name, lat: point.lat, lng: point.lng }] : []
  })
  refuseFaults(points.flatMap((point) => pointFaults(point, fieldsOf(point.name))))
  return points
}

/** The same of a request that must have one of them at least. */
export function readSomePoint(given: Partial<Record<PointName, Point | undefined>>): NamedPoint[] {
  const points = readPoints(given)
  return points.length > 0 ? points : [requirePoint('point', undefined)]
}

/** One point that the request must have; throws validation_error. */
export function requirePoint(name: PointName, point: Point | undefined): NamedPoint {
  const [read] = readPoints({ [name]: point })
  if (read) return read
  const [first, second] = fieldsOf(name).map((field) => ({ field, rule: 'required', message: `${field} is required.` }))
  throw validationError([first as FieldFault, second as FieldFault])
}

/** What is wrong with a latitude and a longitude, by the names of their fields. */
export function pointFaults({ lat, lng }: Point, [latField, lngField]: readonly [string, string]): FieldFault[] {
  return (
    [
      [latField, lat, 90],
      [lngField, lng, 180],
    ] as const
  ).flatMap(([field, value, limit]) =>
    Math.abs(value) <= limit
      ? []
      : [{ field, rule: 'range', limit, message: `${field} must be a number from -${limit} to ${limit}.` }],
  )
}

const fieldsOf = (name: PointName): readonly [string, string] =>
  name === 'point' ? ['lat', 'lng'] : [`${name}_lat`, `${name}_lng`]
