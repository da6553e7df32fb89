export interface Page {
  limit: number
  offset: number
}

/** A page within bounds: without a limit 50 rows, never more than `max`. */
export function pageOf(asked: Page, max: number): Page {
  const limit = asked.limit > 0 ? asked.limit : 50
  return { limit: Math.min(limit, max), offset: Math.max(asked.offset, 0) }
}
