import type { Scope, Statement } from './scoped-read.ts'

/** One count: what to ask, if anything, and what the answer means. */
export interface Counting {
  statements: readonly Statement[]
  total(counted: object | undefined): number
}

/** A list that is so many times as long as totals tell is not counted again for a while. */
const MUCH_LONGER = 2
/** Nothing takes more than three thousand rows a second out of one list, so it stays longer than totals tell meanwhile. */
const BELIEVED_MS = 30_000
const MAX_KNOWN = 10_000

/** Totals that are exact up to a limit, and the limit beyond. Each list pays for its count, however long; what is much longer pays once in a while. */
export class Totals {
  readonly #limit: number
  /** By list: until when it is taken to be longer than the limit. */
  readonly #long = new Map<string, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many rows the scope finds, `found` being a FROM and a WHERE. */
  of(scope: Scope, found: string, params: readonly unknown[]): Counting {
    const list = JSON.stringify([scope, found, params])
    const until = this.#long.get(list)
    if (until !== undefined && performance.now() < until) return { statements: [], total: () => this.#limit }
    const countTo = this.#limit * MUCH_LONGER
    const text = `SELECT count(*)::int AS total FROM (SELECT ${found} LIMIT ${countTo}) AS capped`
    return {
      statements: [{ text, params, planned: 'each time' }],
      total: (counted) => {
        const { total } = counted as { total: number }
        if (total === countTo) this.#learn(list)
        return Math.min(total, this.#limit)
      },
    }
  }

  #learn(list: string): void {
    this.#long.delete(list)
    this.#long.set(list, performance.now() + BELIEVED_MS)
    const [oldest] = this.#long.keys()
    if (this.#long.size > MAX_KNOWN && oldest !== undefined) this.#long.delete(oldest)
  }
}
