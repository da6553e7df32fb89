import { Recent } from './recent.ts'
import type { Count, Counting } from './totals.ts'

/** A list whose old rows stay as they are, or leave a note of what becomes of them. */
export interface SettledList {
  /** What follows FROM, its conditions included. */
  found: string
  params: readonly unknown[]
  /** The order in which rows come; by the time in `created_at` unless it says otherwise. */
  order?: Order
  /** Without it rows are added and nothing else. */
  changes?: {
    /** From which age of its row on a change is noted. */
    late: string
    /** What follows FROM to find the notes, conditions included: each with its `xid`, and the `created_at` of its row. */
    notes: string
    /** By how many rows the list has grown, an aggregate of notes. */
    moved: string
  }
  /** Further rows, which nothing notes, as what follows FROM: counted each time. */
  apart?: string | undefined
}

/** By when a row came, as the clock of the database said; or by its number, and then below which all are there. */
interface Order {
  column: string
  settled?: string
}

/** How many of the rows that came before another one a list had, and what that count saw. */
interface Known {
  before: Date | number | null
  count: number
  snapshot: string | null
  untilMs: number
}

interface Counted {
  /** Of those that came since what is known: all, and those that are settled by now. */
  since: number
  settled: number
  settledBefore: Date | number
  /** By how many those of before are more than they were. */
  moved: number
  snapshot: string
  apart: number
}

/** So long a count is believed: what nobody foresees, such as a restored database, is seen after that. Notes are kept for longer. */
const BELIEVED_MS = 600_000
/** Longer than any transaction lasts: what came earlier is there by now, and its changes are noted. */
const SETTLES = `interval '5 minutes'`
const NOTHING: Known = { before: null, count: 0, snapshot: null, untilMs: Number.POSITIVE_INFINITY }

/**
 * Counts what a list has without counting the same rows again. What changes or removes an old row leaves a note. So each
 * count adds to the one before it what has come since, and what moved: the notes of transactions that the count before did
 * not see.
 */
export class SettledTotals {
  readonly #known = new Recent<Known>()

  of(list: SettledList): Count {
    return (limit) => this.#count(list, limit)
  }

  #count(list: SettledList, limit: number): Counting {
    const key = JSON.stringify([list.found, list.apart, list.params])
    const known = this.#knownOf(key)
    const most = Math.max(1, limit - known.count)
    return {
      statements: [{ ...statement(list, known, most), planned: 'each time' }],
      total: (counted) => {
        const { since, settled, settledBefore, moved, snapshot, apart } = counted as Counted
        const before = known.count + moved
        // A count that was cut short says nothing of how many are settled.
        if (since < most) {
          const untilMs = Math.min(known.untilMs, performance.now() + BELIEVED_MS)
          this.#known.set(key, { before: settledBefore, count: before + settled, snapshot, untilMs })
        }
        return before + since + apart
      },
    }
  }

  #knownOf(key: string): Known {
    const known = this.#known.get(key)
    return known && performance.now() < known.untilMs ? known : NOTHING
  }
}

function statement({ found, params: own, order, changes, apart }: SettledList, known: Known, most: number) {
  const { column, settled } = order ?? { column: 'created_at' }
  const params: unknown[] = [...own, known.before ?? (settled ? 0 : '-infinity')]
  const before = `$${params.length}::${settled ? 'bigint' : 'timestamptz'}`
  const moved = changes ? `(${movedSince(changes, before, `$${params.push(known.snapshot)}::text::pg_snapshot`)})` : '0'
  const limit = Number.isFinite(most) ? most : 'ALL'
  const further = apart ? `(SELECT count(*)::int FROM (SELECT FROM ${apart} LIMIT ${limit}) AS apart)` : '0'
  const age = changes ? `${changes.late} + ${SETTLES}` : SETTLES
  const text = `
WITH settled AS MATERIALIZED (SELECT ${settled ?? `date_trunc('milliseconds', now() - (${age}))`} AS before)
SELECT count(*)::int AS since, (count(*) FILTER (WHERE found.came < (SELECT before FROM settled)))::int AS settled,
       (SELECT before FROM settled) AS "settledBefore", pg_current_snapshot()::text AS snapshot,
       ${moved} AS moved, ${further} AS apart
  FROM (SELECT ${column} AS came FROM ${found} AND ${column} >= ${before} LIMIT ${limit}) AS found`
  return { text, params }
}

const movedSince = ({ notes, moved }: NonNullable<SettledList['changes']>, before: string, sight: string) =>
  `SELECT coalesce(${moved}, 0)::int FROM ${notes}
      AND xid >= pg_snapshot_xmin(${sight}) AND NOT pg_visible_in_snapshot(xid, ${sight}) AND created_at < ${before}`
