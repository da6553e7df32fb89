import type { FieldFault } from '@svc/errors'
import { pointFaults } from './point.ts'

/** A position as a device reports it. */
export interface NewPosition {
  lat: number
  lng: number
  accuracyM: number | null
  speedMps: number | null
  headingDeg: number | null
  batteryPct: number | null
  /** Null: when the server received it. */
  recordedAt: Date | null
}

const MAX_POSITIONS = 100
/** Clocks that are wrong by more are not believed: such a position would head the history for as long. */
const MOST_AHEAD_MS = 86_400_000

/** What is wrong with the positions of one call, by the names of their fields: `points[3].lat`. */
export function positionFaults(positions: readonly NewPosition[], now: Date): FieldFault[] {
  if (positions.length < 1 || positions.length > MAX_POSITIONS) {
    return [
      {
        field: 'points',
        rule: 'length',
        limit: MAX_POSITIONS,
        message: `points must be 1 to ${MAX_POSITIONS} positions.`,
      },
    ]
  }
  return positions.flatMap((position, index) => faultsOf(position, `points[${index}]`, now.getTime() + MOST_AHEAD_MS))
}

function faultsOf(position: NewPosition, path: string, latestMs: number): FieldFault[] {
  const { accuracyM, speedMps, headingDeg, batteryPct, recordedAt } = position
  const faults = pointFaults(position, [`${path}.lat`, `${path}.lng`])
  const bounded = [
    ['accuracy_m', accuracyM, Number.MAX_VALUE],
    ['speed_mps', speedMps, Number.MAX_VALUE],
    ['heading_deg', headingDeg, 360],
    ['battery_pct', batteryPct, 100],
  ] as const
  for (const [name, value, most] of bounded) {
    if (value === null || (value >= 0 && value <= most)) continue
    const range = most === Number.MAX_VALUE ? 'of at least 0' : `from 0 to ${most}`
    faults.push({ field: `${path}.${name}`, rule: 'range', message: `${path}.${name} must be a number ${range}.` })
  }
  if (recordedAt !== null && !(recordedAt.getTime() >= 0 && recordedAt.getTime() <= latestMs)) {
    const field = `${path}.recorded_at`
    faults.push({ field, rule: 'time', message: `${field} must be a time since 1970 and at most a day ahead.` })
  }
  return faults
}
