import { boundedCount, TOTAL_LIMIT } from './bounded-count.ts'
import type { Scope, Statement } from './scoped-read.ts'

/** One count: what to ask, if anything, and what the answer means. */
export interface Counting {
  statements: readonly Statement[]
  total(counted: object | undefined): number
}

/** How far beyond the limit is counted, as a multiple of it. */
const COUNTED_TO = 2
/** Of what a list has beyond the limit no more is expected to go in a millisecond; where more does, its total is late by seconds. */
const MOST_LOST_PER_MS = 3
const MAX_KNOWN = 10_000

/** Totals that are exact up to a limit, and the limit beyond. What is longer is counted again when it may have come below. */
export class Totals {
  readonly #limit: number
  /** By list: until when it is longer than the limit. */
  readonly #long = new Map<string, number>()

  constructor(limit = TOTAL_LIMIT) {
    this.#limit = limit
  }

  /** How many rows the scope finds, `found` being what follows FROM. */
  of(scope: Scope, found: string, params: readonly unknown[]): Counting {
    const list = JSON.stringify([scope, found, params])
    const until = this.#long.get(list)
    if (until !== undefined && performance.now() < until) return { statements: [], total: () => this.#limit }
    const text = boundedCount(found, this.#limit * COUNTED_TO)
    return {
      statements: [{ text, params, planned: 'each time' }],
      total: (counted) => {
        const { total } = counted as { total: number }
        if (total > this.#limit) this.#learn(list, (total - this.#limit) / MOST_LOST_PER_MS)
        return Math.min(total, this.#limit)
      },
    }
  }

  #learn(list: string, forMs: number): void {
    this.#long.delete(list)
    this.#long.set(list, performance.now() + forMs)
    const [oldest] = this.#long.keys()
    if (this.#long.size > MAX_KNOWN && oldest !== undefined) this.#long.delete(oldest)
  }
}
