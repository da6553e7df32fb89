/** Totals of lists are exact up to here; counting further would cost more than the page itself. */
export const TOTAL_LIMIT = 100_000

/** The statement that counts rows as `total`, `found` being what follows FROM, no further than the limit. */
export const boundedCount = (found: string, limit = TOTAL_LIMIT): string =>
  `SELECT count(*)::int AS total FROM (SELECT FROM ${found} LIMIT ${limit}) AS found`
