import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import { goodKey, type Limit, unknownKeys } from './limits.ts'
import { Lru } from './lru.ts'
import type { RateLimiter } from './rate-limit.ts'
import { notJudged, tooMany } from './too-many.ts'
import { type Leave, UnderWay } from './under-way.ts'

/** How long a lookup waits for those before it: what is left of the request's five seconds is for the request. */
const WAIT_MS = 4_000
const MAX_WAITING = 1_000
/** Far below the hour for which a key counts as good: this often it is said anew of keys that are in use. */
const RENEW_MS = 600_000
const MAX_RENEWED = 20_000

export interface KeyLookups {
  /**
   * Runs a lookup of the key with this digest, and counts it for the address where the key is not good. Throws 429, without
   * running it, where an address has had too many of these; a key that was good within the hour is looked up all the same.
   * Where as many are under way as may yet fail it waits its turn, and throws 503 where none comes.
   */
  run<T>(digest: Buffer, address: string, lookUp: () => Promise<T>, isGood: (answer: T) => boolean): Promise<T>
  /** Hears that a key was found good without a lookup of its own, so that it counts as good for a further hour. */
  renew(digest: Buffer): void
}

/**
 * Bounds what invented keys cost. What spares a key is that it was good, on whichever replica: only who holds it can have
 * made that so. One that was revoked since is counted, and its verdict is reused like any other.
 */
export function keyLookups(config: Config, limiter: RateLimiter): KeyLookups {
  const underWay = new UnderWay(limiter, MAX_WAITING)
  /** When it was last said of a key that it is good, by its name there. */
  const saidAtMs = new Lru<string, number>(MAX_RENEWED)

  async function enter(failures: readonly Limit[], good: readonly Limit[]): Promise<Leave> {
    const deadline = Date.now() + WAIT_MS
    const first = await underWay.enter(failures)
    if (typeof first === 'function') return first
    if (!(await limiter.look(good)).admitted) return underWay.count(failures)
    const entered = first.isUsedUp ? first : await underWay.wait(failures, deadline)
    if (typeof entered === 'function') return entered
    throw entered ? tooMany(entered.usage) : notJudged()
  }

  return {
    async run(digest, address, lookUp, isGood) {
      const failures = unknownKeys(config, address)
      const good = goodKey(nameOf(digest))
      const leave = await enter(failures, good)
      try {
        const answer = await lookUp()
        await limiter.record(isGood(answer) ? good : failures)
        return answer
      } finally {
        leave()
      }
    },
    renew(digest) {
      const name = nameOf(digest)
      if (Date.now() - (saidAtMs.get(name) ?? 0) < RENEW_MS) return
      saidAtMs.set(name, Date.now())
      void limiter.record(goodKey(name))
    },
  }
}

/** Redis keeps no digest that admin would take for the key's. */
const nameOf = (digest: Buffer): string => createHash('sha256').update(digest).digest('base64url')
