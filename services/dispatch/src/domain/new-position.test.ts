import { expect, test } from '@jest/globals'
import { type NewPosition, positionFaults } from './new-position.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const TOMORROW = new Date('2026-11-22T12:00:00Z')

const position = (changes: Partial<NewPosition> = {}): NewPosition => ({
  lat: 6.45,
  lng: 3.39,
  accuracyM: null,
  speedMps: null,
  headingDeg: null,
  batteryPct: null,
  recordedAt: null,
  ...changes,
})

test('every fault of every position is named, and the borders belong', () => {
  const faults = positionFaults(
    [
      position({ lat: -90, lng: 180, headingDeg: 0, batteryPct: 100, speedMps: 0, recordedAt: new Date(0) }),
      position({ lat: 91, lng: Number.NaN, headingDeg: -0.1 }),
      position({ recordedAt: new Date(Number.NaN), batteryPct: 100.5 }),
      position({ recordedAt: TOMORROW }),
      position({ recordedAt: new Date(TOMORROW.getTime() + 1) }),
    ],
    NOW,
  )
  expect(faults.map(({ field }) => field)).toEqual([
    'points[1].lat',
    'points[1].lng',
    'points[1].heading_deg',
    'points[2].battery_pct',
    'points[2].recorded_at',
    'points[4].recorded_at',
  ])
})

test.each([0, 101])('%d positions are not a report', (count) => {
  expect(
    positionFaults(
      Array.from({ length: count }, () => position()),
      NOW,
    ),
  ).toMatchObject([{ field: 'points', rule: 'length', limit: 100 }])
})
