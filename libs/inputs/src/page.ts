import { validationError } from '@svc/errors'
import * as z from 'zod'

export interface Page {
  limit: number
  offset: number
}

const USUAL = 50

/** The page asked for: 1 to `max` rows, 50 where the limit is 0; throws for any other. */
export function pageOf({ limit, offset }: Page, max = 200): Page {
  if (!(offset >= 0)) throw validationError([{ field: 'offset', rule: 'range', message: 'offset must be 0 or more.' }])
  if (limit === 0) return { limit: USUAL, offset }
  if (limit >= 1 && limit <= max) return { limit, offset }
  throw validationError([{ field: 'limit', rule: 'range', limit: max, message: `limit must be 1 to ${max}.` }])
}

/** `limit` and `offset` of a list, in a message: a limit of 0 asks for the usual number of rows. */
export const pageFields = (max = 200) => ({
  limit: z
    .int()
    .min(0)
    .max(max)
    .transform((limit) => limit || USUAL),
  offset: z.int().min(0),
})
