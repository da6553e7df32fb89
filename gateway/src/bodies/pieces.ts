import * as z from 'zod'

/** Names the fields that are null, in the request's words for `clear_fields`. */
export const nulls = (fields: object): string[] =>
  Object.entries(fields).flatMap(([name, value]) => (value === null ? [name] : []))

/** The fields with what they are set to; null clears one, and `clear_fields` tells of that. */
export const withoutNulls = <F extends object>(fields: F) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof F]: Exclude<F[K], null>
  }

export const VEHICLES = ['motorcycle', 'car', 'van', 'truck'] as const
export const vehicle = z.enum(VEHICLES)

/** An amount that is asked for: the service knows its bounds, and its refusal names them. */
export const askedMinor = z.int().meta({ description: 'Minor currency units' })
