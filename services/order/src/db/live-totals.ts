import { type Counting, Recent, TOTAL_LIMIT } from '@svc/database'
import type { Scope } from '@svc/transact'

/** How many live orders a merchant had before an instant. */
interface Known {
  before: Date | '-infinity'
  count: number
  untilMs: number
}

interface Counted {
  since: number
  settled: number
  settledAt: Date
  sandbox: number
}

/** Longer than any transaction lasts: what was created earlier and is not seen will never be. */
const SETTLED_AFTER = `interval '5 minutes'`
/** So long a count is believed: what nobody foresees, such as a restored database, is seen after that. */
const BELIEVED_MS = 600_000
const NOTHING: Known = { before: '-infinity', count: 0, untilMs: Number.POSITIVE_INFINITY }

/**
 * Counts the orders of a merchant without counting the same ones again. Live orders are never deleted, and one that is
 * created is never older than a transaction lasts: so each count adds what has come since the one before it. Test orders
 * are swept, and counted each time.
 */
export class LiveTotals {
  readonly #known = new Recent<Known>()
  readonly #limit: number

  /** Totals beyond the limit are not told apart. */
  constructor(limit = TOTAL_LIMIT) {
    this.#limit = limit
  }

  /** How all orders that the scope may see are counted: where it is a merchant's, and not the sandbox alone. */
  of(scope: Scope): Counting | null {
    if (scope === 'every tenant' || scope.isTest === true) return null
    const { merchantId } = scope
    const known = this.#knownOf(merchantId)
    const params = [merchantId, known.before, this.#limit - known.count]
    return {
      statements: [{ text: scope.isTest === null ? BOTH : LIVE, params, planned: 'once' }],
      isShort: known !== NOTHING && scope.isTest === false,
      total: (counted) => {
        const { since, settled, settledAt, sandbox } = counted as Counted
        const live = known.count + since
        // A count that was cut short says nothing of how many are settled, and need not.
        const isFull = live >= this.#limit
        const untilMs = Math.min(known.untilMs, performance.now() + BELIEVED_MS)
        this.#known.set(merchantId, {
          before: isFull ? known.before : settledAt,
          count: isFull ? this.#limit : known.count + settled,
          untilMs,
        })
        return Math.min(live + sandbox, this.#limit)
      },
    }
  }

  #knownOf(merchantId: string): Known {
    const known = this.#known.get(merchantId)
    return known && performance.now() < known.untilMs ? known : NOTHING
  }
}

const statement = (sandbox: string) => `
WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', app_now() - ${SETTLED_AFTER}) AS settled_at)
SELECT count(*)::int AS since, (count(*) FILTER (WHERE created_at < (SELECT settled_at FROM clock)))::int AS settled,
       (SELECT settled_at FROM clock) AS "settledAt", ${sandbox} AS sandbox
  FROM (SELECT created_at FROM orders
         WHERE merchant_id = $1 AND is_test = false AND created_at >= $2::timestamptz LIMIT $3) AS live`
const LIVE = statement('0')
const BOTH = statement(
  `(SELECT count(*)::int FROM (SELECT FROM orders WHERE merchant_id = $1 AND is_test = true LIMIT 100000) AS test)`,
)
