import { type Counting, Recent } from '@svc/database'
import type { Expiry } from '@svc/lifecycle'
import type { OrderFilter } from '../domain/order-filter.ts'
import { column } from './functions/create-order.sql.ts'
import { LATE } from './migrations/202611241415-late-changes.ts'

/** Orders that a filter finds: live ones, or those of both environments. */
export interface FoundOrders {
  isTest: false | null
  filter: Omit<OrderFilter, 'isTest'>
}

/** How many of the live orders that were created before an instant a filter found, and what that count saw. */
interface Known {
  before: Date | '-infinity'
  count: number
  snapshot: string | null
  untilMs: number
}

interface Counted {
  /** Of those created since what is known: all, and those that are settled by now. */
  since: number
  settled: number
  settledAt: Date
  /** By how many those of before are more than they were. */
  moved: number
  snapshot: string
  sandbox: number
}

/** Longer than any transaction lasts: whatever changes an order of before that from now on is noted as late. */
const SETTLED_AFTER = `${LATE} + interval '5 minutes'`
/** So long a count is believed: what nobody foresees, such as a restored database, is seen after that. */
const BELIEVED_MS = 600_000
const NOTHING: Known = { before: '-infinity', count: 0, snapshot: null, untilMs: Number.POSITIVE_INFINITY }

/** Changes of orders that are old. Kept for longer than a count is believed. */
export const expiries: readonly Expiry[] = [{ table: 'late_changes', age: 'at', keep: "interval '1 hour'" }]

/**
 * Counts what a filter finds without counting the same orders again. What changes an order that
 * is older than a day leaves a note of what it was and is. So each count adds to the one before it what has come since, and
 * what moved: the notes of transactions that the count before did not see.
 */
export class FoundTotals {
  readonly #known = new Recent<Known>()

  of(list: FoundOrders, limit: number): Counting {
    const key = JSON.stringify(list)
    const known = this.#knownOf(key)
    const most = Math.max(1, limit - known.count)
    return {
      statements: [{ ...statement(list, known, most), planned: 'each time' }],
      total: (counted) => {
        const { since, settled, settledAt, moved, snapshot, sandbox } = counted as Counted
        const before = known.count + moved
        // A count that was cut short says nothing of how many are settled.
        if (since < most) {
          const untilMs = Math.min(known.untilMs, performance.now() + BELIEVED_MS)
          this.#known.set(key, { before: settledAt, count: before + settled, snapshot, untilMs })
        }
        return before + since + sandbox
      },
    }
  }

  #knownOf(key: string): Known {
    const known = this.#known.get(key)
    return known && performance.now() < known.untilMs ? known : NOTHING
  }
}

/** What a change may alter of all that lists are filtered by. */
const CHANGING = new Set(['status', 'paymentVerified', 'riderId'])

function statement({ isTest, filter }: FoundOrders, { before, snapshot }: Known, most: number) {
  const params: unknown[] = []
  const slot = (value: unknown) => `$${params.push(value)}`
  const stated = Object.entries(filter).flatMap(([field, value]) =>
    value === undefined ? [] : [{ name: column(field), isChanging: CHANGING.has(field), value: slot(value) }],
  )
  const [known, sight] = [`${slot(before)}::timestamptz`, `${slot(snapshot)}::text::pg_snapshot`]
  const orders = (isSandbox: boolean) =>
    [`o.is_test = ${isSandbox}`, ...stated.map(({ name, value }) => `o.${name} = ${value}`)].join(' AND ')
  const noted = (when: 'was' | 'now') =>
    stated.map(({ name, isChanging, value }) => `c.${isChanging ? `${when}_` : ''}${name} = ${value}`).join(' AND ') ||
    'true'
  // Of all merchants few orders change late: which are meant is looked for among those.
  const moved = `(SELECT (count(*) FILTER (WHERE ${noted('now')}) - count(*) FILTER (WHERE ${noted('was')}))::int
      FROM late_changes c
     WHERE c.xid >= pg_snapshot_xmin(${sight}) AND NOT pg_visible_in_snapshot(c.xid, ${sight})
       AND c.created_at < ${known})`
  const sandbox =
    isTest === null
      ? `(SELECT count(*)::int FROM (SELECT FROM orders o WHERE ${orders(true)} LIMIT ${most}) AS test)`
      : '0'
  const text = `
WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', now() - (${SETTLED_AFTER})) AS settled_at)
SELECT count(*)::int AS since, (count(*) FILTER (WHERE found.created_at < (SELECT settled_at FROM clock)))::int AS settled,
       (SELECT settled_at FROM clock) AS "settledAt", pg_current_snapshot()::text AS snapshot,
       ${moved} AS moved, ${sandbox} AS sandbox
  FROM (SELECT o.created_at FROM orders o WHERE ${orders(false)} AND o.created_at >= ${known} LIMIT ${most}) AS found`
  return { text, params }
}
