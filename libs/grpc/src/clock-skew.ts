import { metrics } from '@svc/telemetry'

/** By issuer, the largest difference since the last look, in seconds; negative: its clock is ahead. */
const seen = new Map<string, number>()

metrics.gauge(
  'rpc_clock_skew_seconds',
  'By how much the clock of a calling process is behind this one: the largest since the last scrape.',
  () => {
    const observed = [...seen].map(([from, value]) => ({ value, labels: { from } }))
    seen.clear()
    return observed
  },
)

/** Notes how old a call of the process seemed when it arrived. */
export function noteClock(from: string, ageSeconds: number): void {
  const known = seen.get(from)
  if (known === undefined || Math.abs(ageSeconds) > Math.abs(known)) seen.set(from, ageSeconds)
}
