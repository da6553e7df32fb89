import type { SettledList } from '@svc/database'
import type { Expiry } from '@svc/lifecycle'
import type { OrderFilter } from '../domain/order-filter.ts'
import { column } from './functions/create-order.sql.ts'
import { LATE } from './migrations/202611241415-late-changes.ts'

/** Orders that a filter finds: live ones, or those of both environments. */
export interface FoundOrders {
  isTest: false | null
  filter: Omit<OrderFilter, 'isTest'>
}

/** Changes of orders that are old. Kept for longer than a count is believed. */
export const expiries: readonly Expiry[] = [{ table: 'late_changes', age: 'at', keep: "interval '1 hour'" }]

/** What a change may alter of all that lists are filtered by. */
const CHANGING = new Set(['status', 'paymentVerified', 'riderId'])

/**
 * What a filter finds, as a list that is not counted again: what changes an order that is older than a day leaves a note of
 * what it was and is. Those of the sandbox are removed, and counted each time.
 */
export function settledOrders({ isTest, filter }: FoundOrders): SettledList {
  const params: unknown[] = []
  const stated = Object.entries(filter).flatMap(([field, value]) =>
    value === undefined
      ? []
      : [{ name: column(field), isChanging: CHANGING.has(field), value: `$${params.push(value)}` }],
  )
  const orders = (isSandbox: boolean) =>
    `orders o WHERE ${[`o.is_test = ${isSandbox}`, ...stated.map(({ name, value }) => `o.${name} = ${value}`)].join(' AND ')}`
  const noted = (when: 'was' | 'now') =>
    stated.map(({ name, isChanging, value }) => `c.${isChanging ? `${when}_` : ''}${name} = ${value}`).join(' AND ') ||
    'true'
  return {
    found: orders(false),
    params,
    changes: {
      late: LATE,
      // Of all merchants few orders change late: which are meant is looked for among those.
      notes: 'late_changes c WHERE true',
      moved: `count(*) FILTER (WHERE ${noted('now')}) - count(*) FILTER (WHERE ${noted('was')})`,
    },
    apart: isTest === null ? orders(true) : undefined,
  }
}
