import { boundedCount, TOTAL_LIMIT } from './bounded-count.ts'
import { Recent } from './recent.ts'
import type { Scope, Statement } from './scoped-read.ts'

/** One count: what to ask, if anything, and what the answer means. */
export interface Counting {
  statements: readonly Statement[]
  /** Whether an index finds what is counted, and it is little. */
  isShort?: boolean
  total(counted: object | undefined): number
}

/** Counts a list, no further than so many rows. */
export type Count = (limit: number) => Counting

/** How far beyond the limit is counted, as a multiple of it. */
const COUNTED_TO = 2
/** Of what a list has beyond the limit no more is expected to go in a millisecond; where more does, its total is late by seconds. */
const MOST_LOST_PER_MS = 3

/** Totals that are exact up to a limit, and the limit beyond. What is longer is counted again when it may have come below. */
export class Totals {
  readonly #limit: number
  /** By list: until when it is longer than the limit. */
  readonly #long = new Recent<number>()

  constructor(limit = TOTAL_LIMIT) {
    this.#limit = limit
  }

  /** How many rows the scope finds, `found` being what follows FROM; counted one by one, unless there is a better way. */
  of(scope: Scope, found: string, params: readonly unknown[], count: Count = each(found, params)): Counting {
    const list = JSON.stringify([scope, found, params])
    const until = this.#long.get(list)
    if (until !== undefined && performance.now() < until) return { statements: [], total: () => this.#limit }
    const counting = count(this.#limit * COUNTED_TO)
    return {
      statements: counting.statements,
      total: (counted) => {
        const total = counting.total(counted)
        if (total > this.#limit) {
          this.#long.set(list, performance.now() + (total - this.#limit) / MOST_LOST_PER_MS)
        }
        return Math.min(total, this.#limit)
      },
    }
  }
}

const each =
  (found: string, params: readonly unknown[]): Count =>
  (limit) => ({
    statements: [{ text: boundedCount(found, limit), params, planned: 'each time' }],
    total: (counted) => (counted as { total: number }).total,
  })
