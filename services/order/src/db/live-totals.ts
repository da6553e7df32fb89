import { type Counting, Recent, TOTAL_LIMIT } from '@svc/database'
import type { Scope } from '@svc/transact'

/** How many live orders a merchant had before an instant. */
interface Known {
  before: Date | '-infinity'
  count: number
  /** From when on it is asked which of the orders since are settled by now: they are not counted for ever. */
  advancesAtMs: number
  untilMs: number
}

interface Counted {
  since: number
  sandbox: number
}

/** How many of those since are settled by now, and before which instant. */
interface Settled {
  settled: number
  settledAt: Date
}

/** Longer than any transaction lasts: what was created earlier and is not seen will never be. */
const SETTLED_AFTER = `interval '5 minutes'`
/** So long a count is believed: what nobody foresees, such as a restored database, is seen after that. */
const BELIEVED_MS = 600_000
const ADVANCES_EACH_MS = 30_000
const NOTHING: Known = { before: '-infinity', count: 0, advancesAtMs: 0, untilMs: Number.POSITIVE_INFINITY }

/**
 * Counts the orders of a merchant without counting the same ones again. Live orders are never deleted, and one that is
 * created is never older than a transaction lasts: so each count adds what has come since the one before it. Test orders
 * are swept, and counted each time.
 */
export class LiveTotals {
  readonly #known = new Recent<Known>()
  readonly #limit: number
  readonly #advancesEachMs: number

  /** Totals beyond the limit are not told apart. */
  constructor(limit = TOTAL_LIMIT, advancesEachMs = ADVANCES_EACH_MS) {
    this.#limit = limit
    this.#advancesEachMs = advancesEachMs
  }

  /** How all orders that the scope may see are counted: where it is a merchant's, and not the sandbox alone. */
  of(scope: Scope): Counting | null {
    if (scope === 'every tenant' || scope.isTest === true) return null
    const { merchantId } = scope
    const known = this.#knownOf(merchantId)
    const params = [merchantId, known.before, this.#limit - known.count]
    const live = performance.now() < known.advancesAtMs ? SINCE : LIVE
    return {
      statements: [{ text: scope.isTest === null ? BOTH : live, params, planned: 'once' }],
      isShort: known !== NOTHING && scope.isTest === false,
      total: (counted) => {
        const found = counted as Counted | (Counted & Settled)
        if ('settledAt' in found) this.#advance(merchantId, known, found)
        return Math.min(known.count + found.since + found.sandbox, this.#limit)
      },
    }
  }

  #advance(merchantId: string, known: Known, { since, settled, settledAt }: Counted & Settled): void {
    // A count that was cut short says nothing of how many are settled, and need not.
    const isFull = known.count + since >= this.#limit
    const now = performance.now()
    this.#known.set(merchantId, {
      before: isFull ? known.before : settledAt,
      count: isFull ? this.#limit : known.count + settled,
      advancesAtMs: now + this.#advancesEachMs,
      untilMs: Math.min(known.untilMs, now + BELIEVED_MS),
    })
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
/** Half the cost of the other. */
const SINCE = `
SELECT count(*)::int AS since, 0 AS sandbox
  FROM (SELECT FROM orders WHERE merchant_id = $1 AND is_test = false AND created_at >= $2::timestamptz LIMIT $3) AS live`
const BOTH = statement(
  `(SELECT count(*)::int FROM (SELECT FROM orders WHERE merchant_id = $1 AND is_test = true LIMIT 100000) AS test)`,
)
