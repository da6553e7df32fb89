import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import { goodKey, unknownKeys } from './limits.ts'
import type { RateLimiter } from './rate-limit.ts'
import { tooMany } from './too-many.ts'

export interface KeyLookups {
  /**
   * Runs a lookup of the key with this digest, and counts it for the address where the key is not good. Throws 429, without
   * running it, where an address has had too many of these; a key that was good within the hour is looked up all the same.
   */
  run<T>(digest: Buffer, address: string, lookUp: () => Promise<T>, isGood: (answer: T) => boolean): Promise<T>
}

/**
 * Bounds what invented keys cost. What spares a key is that it was good, on whichever replica: only who holds it can have
 * made that so. One that was revoked since is counted, and its verdict is reused like any other.
 */
export function keyLookups(config: Config, limiter: RateLimiter): KeyLookups {
  /** Lookups that run now, by the limit that they may yet use up. */
  const running = new Map<string, number>()

  return {
    async run(digest, address, lookUp, isGood) {
      const failures = unknownKeys(config, address)
      // Redis keeps no digest that admin would take for the key's.
      const good = goodKey(createHash('sha256').update(digest).digest('base64url'))
      const usage = await limiter.look(failures)
      const key = usage.limit?.key ?? address
      const isFull = () => !usage.admitted || usage.remaining < (running.get(key) ?? 0)
      if (isFull() && (await limiter.look(good)).admitted) throw tooMany(usage)
      running.set(key, (running.get(key) ?? 0) + 1)
      try {
        const answer = await lookUp()
        await limiter.record(isGood(answer) ? good : failures)
        return answer
      } finally {
        const left = (running.get(key) ?? 1) - 1
        if (left > 0) running.set(key, left)
        else running.delete(key)
      }
    },
  }
}
