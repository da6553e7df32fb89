const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** For so long a bank may send back what it was paid. */
const WATCHED_MS = 14 * DAY_MS

/**
 * When to ask again about a transfer that was paid: the older it is the more rarely, but daily, so that one that was
 * reversed is found although its hook was lost. Null: no more.
 */
export function nextLook(paidAt: Date, now: Date): Date | null {
  const ageMs = now.getTime() - paidAt.getTime()
  if (ageMs >= WATCHED_MS) return null
  const pauseMs = Math.min(Math.max(ageMs, HOUR_MS), DAY_MS)
  return new Date(paidAt.getTime() + Math.min(ageMs + pauseMs, WATCHED_MS))
}
