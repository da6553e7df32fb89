/** When an order is expected to be collected and delivered; spelt as on the wire. An end that lies behind is absent. */
export interface Eta {
  pickup_p50_at?: string | undefined
  pickup_p90_at?: string | undefined
  dropoff_p50_at?: string | undefined
  dropoff_p90_at?: string | undefined
}

const WORTH_TELLING_MS = 5 * 60_000
const MEDIANS = ['pickup_p50_at', 'dropoff_p50_at'] as const

/** True when the estimate of an end has moved by more than five minutes since it was told, or was never told. */
export function isWorthTelling(told: Eta | null, eta: Eta): boolean {
  return MEDIANS.some((end) => {
    const [before, now] = [told?.[end], eta[end]]
    if (now === undefined) return false
    return before === undefined || Math.abs(Date.parse(now) - Date.parse(before)) > WORTH_TELLING_MS
  })
}

/** The estimate without what it leaves open; null when nothing is left. */
export function statedEta(eta: Eta | undefined): Eta | null {
  const { pickup_p50_at, pickup_p90_at, dropoff_p50_at, dropoff_p90_at } = eta ?? {}
  const stated = Object.entries({ pickup_p50_at, pickup_p90_at, dropoff_p50_at, dropoff_p90_at }).filter(
    ([, at]) => at !== undefined,
  )
  return stated.length > 0 ? Object.fromEntries(stated) : null
}
