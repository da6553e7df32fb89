import { parseInstant } from './order-times.ts'
import type { JsonObject } from './unified-record.ts'

const MINUTE_MS = 60_000
const LEAD_MS = 15 * MINUTE_MS
const WINDOW_MS = 105 * MINUTE_MS

/**
 * Fills the times that a simulated order leaves out: pickup in 15 minutes, the window from then until two hours from
 * now, both moved along with a later pickup that the caller did state.
 */
export function withSimulatedTimes(standardized: JsonObject, now: Date): JsonObject {
  const at = (base: Date, afterMs: number): string => new Date(base.getTime() + afterMs).toISOString()
  const pickup = standardized.scheduled_pickup_at ?? at(now, LEAD_MS)
  const start = standardized.delivery_window_start ?? pickup
  const base = parseInstant(pickup) ?? now
  const end = standardized.delivery_window_end ?? at(base, WINDOW_MS)
  return { ...standardized, scheduled_pickup_at: pickup, delivery_window_start: start, delivery_window_end: end }
}
