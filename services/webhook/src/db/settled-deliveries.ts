import type { SettledList } from '@svc/database'
import type { Expiry } from '@svc/lifecycle'
import { LATE } from './migrations/202611242105-late-changes.ts'

/** Changes of deliveries that are old. Kept for longer than a count is believed. */
export const expiries: readonly Expiry[] = [{ table: 'late_changes', age: 'at', keep: "interval '1 hour'" }]

/** The deliveries of a merchant that have these values, as a list that is not counted again: each note has the same columns. */
export function settledDeliveries(stated: Readonly<Record<string, unknown>>): SettledList {
  const matches = Object.keys(stated)
    .map((column, index) => `${column} = $${index + 1}`)
    .join(' AND ')
  return {
    found: `delivery WHERE ${matches}`,
    params: Object.values(stated),
    changes: { late: LATE, notes: `late_changes WHERE ${matches}`, moved: 'sum(more)' },
  }
}
