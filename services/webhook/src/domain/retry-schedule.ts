const FIRST_DELAY_MS = 30_000
const LONGEST_DELAY_MS = 3_600_000

/** The end of what was made for a sandbox URL that has been cleared since: the live endpoint does not get it. */
export const WITHHELD = 'the sandbox has no URL any more'

/** What one HTTP attempt brought: a status once headers arrived, else the reason why none did. */
export interface AttemptResult {
  statusCode: number | null
  error: string | null
  /** The receiver's Retry-After, as milliseconds from the end of the attempt. */
  retryAfterMs: number | null
}

export type Verdict = { status: 'succeeded' } | { status: 'dead' } | { status: 'pending'; delayMs: number }

/** The wait after failed attempt n (from 1): 30 s doubled each time, at most one hour. */
export function retryDelayMs(attempt: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS)
}

/** Decides a delivery after attempt n: 2xx succeeds, 410, what is withheld and the last attempt are final, anything else waits. */
export function judgeAttempt(result: AttemptResult, attempt: number, maxAttempts: number): Verdict {
  const { statusCode, retryAfterMs, error } = result
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { status: 'succeeded' }
  if (statusCode === 410 || error === WITHHELD || attempt >= maxAttempts) return { status: 'dead' }
  const delayMs = retryDelayMs(attempt)
  const asked = statusCode === 429 || statusCode === 503 ? (retryAfterMs ?? 0) : 0
  return { status: 'pending', delayMs: Math.min(Math.max(delayMs, asked), LONGEST_DELAY_MS) }
}

/** Reads a Retry-After header (seconds or HTTP date); null when it is absent or makes no sense. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  // Only the HTTP date form: Date.parse alone would take "-5" or "2026" for dates.
  const at = /^[A-Za-z]{3,9},? .*GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
