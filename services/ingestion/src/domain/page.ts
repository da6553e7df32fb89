import { validationError } from '@svc/errors'

export interface Page {
  limit: number
  offset: number
}

/** The page asked for: 1 to 200 rows, 50 unless said; throws for any other. */
export function pageOf({ limit, offset }: Page): Page {
  if (!(offset >= 0)) throw validationError([{ field: 'offset', rule: 'range', message: 'offset must be 0 or more.' }])
  if (limit === 0) return { limit: 50, offset }
  if (limit >= 1 && limit <= 200) return { limit, offset }
  throw validationError([{ field: 'limit', rule: 'range', limit: 200, message: 'limit must be 1 to 200.' }])
}
