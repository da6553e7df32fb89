import type { Limit } from './limits.ts'
import type { RateLimiter, Usage } from './rate-limit.ts'

/** Ends what was entered. */
export type Leave = () => void

/** What was not entered, and why. */
interface Refused {
  usage: Usage
  /** Failures that are recorded refuse it; otherwise those refuse it that may yet come of what is under way. */
  isUsedUp: boolean
  /** The limit whose key is full. */
  key: string
}

/**
 * Counts what is under way beside the failures that limits have recorded, under every one of them: as many run at a time as
 * may yet fail, and the next waits its turn, for those before it may all be good.
 */
export class UnderWay {
  readonly #limiter: Pick<RateLimiter, 'lookEach'>
  readonly #mostWaiting: number
  readonly #running = new Map<string, number>()
  readonly #waiting = new Map<string, Set<() => void>>()

  /** Under one key at most so many wait: each of them holds what was sent. */
  constructor(limiter: Pick<RateLimiter, 'lookEach'>, mostWaiting: number) {
    this.#limiter = limiter
    this.#mostWaiting = mostWaiting
  }

  /** Enters at once, or says why not. */
  async enter(limits: readonly Limit[]): Promise<Leave | Refused> {
    return this.#attempt(limits, await this.#limiter.lookEach(limits), true)
  }

  /**
   * Enters in its turn; refused where failures are recorded, undefined where no turn came in time, or too many wait. Before
   * each attempt it asks how much the limits have left, in the way given.
   */
  async wait(
    limits: readonly Limit[],
    deadlineMs: number,
    look: () => Promise<readonly Usage[]> = () => this.#limiter.lookEach(limits),
  ): Promise<Leave | Refused | undefined> {
    let awaited: string | undefined
    for (;;) {
      const usages = await look()
      const entered = this.#attempt(limits, usages, awaited === undefined)
      if (typeof entered === 'function') return entered
      // Its turn is another's, unless that would find the same.
      if (awaited !== undefined && (entered.isUsedUp || entered.key !== awaited)) this.#wake(awaited)
      if (entered.isUsedUp) return entered
      awaited = entered.key
      // Nothing was awaited since the attempt: whoever made it fail has not left yet.
      if (!(await this.#turn(awaited, deadlineMs))) return undefined
    }
  }

  /** Enters whatever is full. */
  count(limits: readonly Limit[]): Leave {
    for (const limit of limits) this.#running.set(limit.key, this.#runningOf(limit) + 1)
    return () => {
      for (const limit of limits) {
        const left = this.#runningOf(limit) - 1
        if (left > 0) this.#running.set(limit.key, left)
        else this.#running.delete(limit.key)
        this.#wake(limit.key)
      }
    }
  }

  /** Who is new stands behind those who wait. */
  #attempt(limits: readonly Limit[], usages: readonly Usage[], isNew: boolean): Leave | Refused {
    const isUsedUp = usages.some(({ admitted }) => !admitted)
    for (const [i, limit] of limits.entries()) {
      const usage = usages[i] as Usage
      const isFull = usage.remaining < this.#runningOf(limit) || (isNew && this.#waiting.has(limit.key))
      if (isUsedUp ? !usage.admitted : isFull) return { usage, isUsedUp, key: limit.key }
    }
    return this.count(limits)
  }

  #runningOf({ key }: Limit): number {
    return this.#running.get(key) ?? 0
  }

  #wake(key: string): void {
    const [first] = this.#waiting.get(key) ?? []
    first?.()
  }

  /** Whether the turn came before the deadline. */
  #turn(key: string, deadlineMs: number): Promise<boolean> {
    const queue = this.#waiting.get(key) ?? new Set()
    if (queue.size >= this.#mostWaiting) return Promise.resolve(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#waiting.set(key, queue)
    const end = (came: boolean) => {
      clearTimeout(timer)
      queue.delete(wake)
      if (queue.size === 0 && this.#waiting.get(key) === queue) this.#waiting.delete(key)
      resolve(came)
    }
    const wake = () => end(true)
    const timer = setTimeout(() => end(false), Math.max(0, deadlineMs - Date.now()))
    queue.add(wake)
    return promise
  }
}
