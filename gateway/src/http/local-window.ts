import type { Limit } from './limits.ts'
import { Lru } from './lru.ts'

const BUCKETS = 60
const MAX_KEYS = 50_000

interface Ring {
  counts: number[]
  newest: number
  total: number
}

/** Whether a request is counted where it is admitted, not at all, or whatever is used up. */
export type Counting = 'count' | 'look' | 'record'

export interface LocalUsage {
  admitted: boolean
  /** Place of the limit to tell of: the tightest; of those that refuse, the one to wait for longest. */
  told: number
  /** Of that limit. */
  remaining: number
  /** Until the oldest request that it counts leaves its window. */
  resetSeconds: number
}

/** The same sliding windows inside one process, for the time without Redis. */
export class LocalWindows {
  readonly #rings = new Lru<string, Ring>(MAX_KEYS)
  readonly #share: number

  /** Each of `replicas` processes grants its share of a limit, at least one request. */
  constructor(replicas: number) {
    this.#share = 1 / replicas
  }

  count(limits: readonly Limit[], nowMs: number, counting: Counting = 'count'): LocalUsage {
    const usage: LocalUsage = { admitted: true, told: 0, remaining: Number.POSITIVE_INFINITY, resetSeconds: 1 }
    const rings = limits.map((limit) => this.#advance(limit, nowMs))
    limits.forEach(({ limit, windowSeconds }, told) => {
      const ring = rings[told] as Ring
      const remaining = Math.max(1, Math.floor(limit * this.#share)) - ring.total - 1
      if (remaining < 0 && counting !== 'record') {
        const resetSeconds = secondsToReset(ring, windowSeconds, nowMs)
        if (usage.admitted || resetSeconds > usage.resetSeconds)
          Object.assign(usage, { admitted: false, told, remaining: 0, resetSeconds })
      } else if (usage.admitted && remaining < usage.remaining)
        Object.assign(usage, { told, remaining, resetSeconds: secondsToReset(ring, windowSeconds, nowMs) })
    })
    // Kept only now: who is refused or only looks takes the place of nobody who was counted.
    if (usage.admitted && counting !== 'look')
      for (const [nth, { key }] of limits.entries()) this.#rings.set(key, recorded(rings[nth] as Ring))
    return usage
  }

  /** The ring of a limit as it stands now, empty where nothing of it is known. */
  #advance({ key, windowSeconds }: Limit, nowMs: number): Ring {
    const index = Math.floor(nowMs / (widthSeconds(windowSeconds) * 1000))
    const known = this.#rings.get(key)
    if (!known || index - known.newest > BUCKETS)
      return { counts: Array.from({ length: BUCKETS + 1 }, () => 0), newest: index, total: 0 }
    while (known.newest < index) {
      known.newest++
      const slot = known.newest % (BUCKETS + 1)
      known.total -= known.counts[slot] ?? 0
      known.counts[slot] = 0
    }
    return known
  }
}

/** One more in the newest bucket. */
function recorded(ring: Ring): Ring {
  const slot = ring.newest % (BUCKETS + 1)
  ring.counts[slot] = (ring.counts[slot] ?? 0) + 1
  ring.total++
  return ring
}

function secondsToReset(ring: Ring, windowSeconds: number, nowMs: number): number {
  let oldest = ring.newest - BUCKETS
  while (oldest < ring.newest && !ring.counts[oldest % (BUCKETS + 1)]) oldest++
  return Math.max(1, Math.ceil((oldest + BUCKETS + 1) * widthSeconds(windowSeconds) - nowMs / 1000))
}

/** Length of one bucket. */
export const widthSeconds = (windowSeconds: number): number => Math.max(1, windowSeconds / BUCKETS)
