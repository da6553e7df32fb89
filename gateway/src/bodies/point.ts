import type { Point } from '@svc/contracts/common/v1/common'
import { validationError } from '@svc/errors'
import { matching } from '@svc/inputs'
import * as z from 'zod'

export const latitude = z.number().min(-90).max(90)
export const longitude = z.number().min(-180).max(180)

/** A decimal number in a query. */
export const decimalWord = (min: number, max: number) =>
  matching(/^-?\d+(\.\d+)?$/, 'must be a decimal number')
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .meta({ override: { type: 'number', minimum: min, maximum: max, pattern: undefined, maxLength: undefined } })

export const latitudeWord = decimalWord(-90, 90)
export const longitudeWord = decimalWord(-180, 180)

/** Names of the two halves of a point. */
type Pair = readonly [lat: string, lng: string]

function numberIn(values: object, name: string): number | undefined {
  const value: unknown = Reflect.get(values, name)
  return typeof value === 'number' ? value : undefined
}

/** The name of the half that a point lacks. */
function missingHalf(values: object, [lat, lng]: Pair): [missing: string, given: string] | undefined {
  const hasLat = numberIn(values, lat) !== undefined
  if (hasLat === (numberIn(values, lng) !== undefined)) return undefined
  return hasLat ? [lng, lat] : [lat, lng]
}

const words = (missing: string, given: string) => `${missing} is required beside ${given}.`

/** Refuses half a point. */
export function wholePoints(...pairs: readonly Pair[]) {
  return (values: object, ctx: z.RefinementCtx): void => {
    for (const pair of pairs) {
      const half = missingHalf(values, pair)
      if (!half) continue
      const params = { rule: 'required_together' }
      ctx.addIssue({ code: 'custom', path: [half[0]], message: words(...half), params })
    }
  }
}

/** The point behind two fields of the same request, or none; half a point is a validation_error. */
export function pointIn(values: object, pair: Pair = ['lat', 'lng']): Point | undefined {
  const half = missingHalf(values, pair)
  if (half) throw validationError([{ field: half[0], rule: 'required_together', message: words(...half) }])
  const [lat, lng] = [numberIn(values, pair[0]), numberIn(values, pair[1])]
  return lat !== undefined && lng !== undefined ? { lat, lng } : undefined
}

export const PICKUP = ['pickup_lat', 'pickup_lng'] as const
export const DROPOFF = ['dropoff_lat', 'dropoff_lng'] as const
