const HOUR_MS = 3_600_000
/** A payer may come back to a page after a failure, but not after this. */
const LIFETIME_MS = 72 * HOUR_MS

/**
 * When to ask again about a payment that is not made: the older its page is the more rarely, so that a payment whose hook
 * was lost is found within a tenth of its age; for the last time at the end of its life. Null: no more.
 */
export function nextVerification(createdAt: Date, now: Date, minPauseMs: number): Date | null {
  const ageMs = now.getTime() - createdAt.getTime()
  if (ageMs >= LIFETIME_MS) return null
  const atAgeMs = Math.min(ageMs + Math.max(minPauseMs, ageMs / 10), LIFETIME_MS)
  return new Date(createdAt.getTime() + Math.ceil(atAgeMs))
}
