import { validationError } from '@svc/errors'

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
