export interface ShortMemory {
  keep(key: string): void
  has(key: string): boolean
}

/** More are not worth the space: whoever asks is told no, which is never wrong. */
const MOST = 10_000

/** Remembers keys for `ttlMs` by the clock of this process, at most MOST of them. */
export function shortMemory(ttlMs: number): ShortMemory {
  const keptUntil = new Map<string, number>()
  return {
    keep(key) {
      if (keptUntil.size >= MOST) keptUntil.clear()
      keptUntil.set(key, performance.now() + ttlMs)
    },
    has(key) {
      const until = keptUntil.get(key)
      if (until === undefined) return false
      if (until > performance.now()) return true
      keptUntil.delete(key)
      return false
    },
  }
}
