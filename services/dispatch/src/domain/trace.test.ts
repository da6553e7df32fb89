import { expect, test } from '@jest/globals'
import type { Candidate } from './candidate.ts'
import { type Judged, TRACED_RIDERS, traced } from './trace.ts'

const candidate = (riderId: string, distanceM: number | null = 100): Candidate => ({
  riderId,
  isFleet: true,
  isOnline: true,
  kycStatus: 'approved',
  vehicleType: 'car',
  lastCompletedAt: null,
  activeOrders: 1,
  bindingOrders: 1,
  codMinor: 0,
  distanceM,
  strangeDistanceM: distanceM === null ? null : 500,
  locationAgeSeconds: 1,
})
const included = (riderId: string, rank: number): Judged => ({ candidate: candidate(riderId), reason: null, rank })
const excluded = (riderId: string): Judged => ({
  candidate: candidate(riderId, null),
  reason: 'stale_location',
  rank: null,
})

test('who was asked in a round stays in its record as then, though a later look leaves them out', () => {
  const first = traced([], [included('a', 1), included('b', 2)], new Set(), 500)
  const second = traced(
    first,
    [included('b', 2), { candidate: candidate('a'), reason: 'already_offered', rank: null }],
    new Set(['a']),
    500,
  )
  expect(second.map(({ rider_id, included: isIncluded, rank }) => [rider_id, isIncluded, rank])).toEqual([
    ['a', true, 1],
    ['b', true, 2],
  ])
  expect(second[0]).toMatchObject({ score_m: 600, score_parts: { distance_m: 100, load_penalty_m: 500 } })
})

test('the record is bounded, and those who could be asked come first', () => {
  const many = Array.from({ length: TRACED_RIDERS }, (_, n) => excluded(`x${n}`))
  const record = traced([], [...many, included('a', 1)], new Set(), 500)
  expect(record).toHaveLength(TRACED_RIDERS)
  expect(record[0]!.rider_id).toBe('a')
  expect(record[1]).toEqual({ rider_id: 'x0', included: false, reason: 'stale_location' })
})
