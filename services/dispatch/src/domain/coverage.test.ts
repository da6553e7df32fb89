import { expect, test } from '@jest/globals'
import { coverageRefusal, judgeCoverage, type NamedPoint, type Place } from './coverage.ts'
import type { RateCard } from './rate-card.ts'

const pickup: NamedPoint = { name: 'pickup', lat: 6.5, lng: 3.3 }
const dropoff: NamedPoint = { name: 'dropoff', lat: 6.6, lng: 3.4 }
const here: Place = { id: 'a', name: 'Here' }
const inZone = { zone: here, geofence: null }
const inGeofence = { zone: null, geofence: here }
const nowhere = { zone: null, geofence: null }
const card = { id: 'c', name: 'Card', currency: 'NGN' } as RateCard

const judge = (
  hasZones: boolean,
  hasGeofences: boolean,
  places: Array<typeof inZone | typeof inGeofence | typeof nowhere>,
  by: RateCard | null = card,
) => judgeCoverage([pickup, dropoff], { hasZones, hasGeofences, places, card: by })

test('zones decide where there are any, else geofences, else nothing is outside', () => {
  expect(judge(true, true, [inZone, nowhere]).points.map(({ reason }) => reason)).toEqual([null, 'outside_zones'])
  expect(judge(false, true, [inGeofence, nowhere]).points.map(({ reason }) => reason)).toEqual([null, 'outside_zones'])
  expect(judge(false, false, [nowhere, nowhere]).reason).toBeNull()
})

test('a place without a price is not covered, and being outside counts before that', () => {
  expect(judge(true, false, [inZone, inZone], null).reason).toBe('no_rate_card')
  const both = judge(true, false, [inZone, nowhere], null)
  expect(both.reason).toBe('outside_zones')
  expect(coverageRefusal(both)).toMatchObject({
    code: 'OUT_OF_COVERAGE_AREA',
    details: { point: 'dropoff', lat: 6.6, lng: 3.4, reason: 'outside_zones' },
  })
})

test('when both ends are outside, the pickup is named', () => {
  expect(coverageRefusal(judge(true, false, [nowhere, nowhere]))).toMatchObject({ details: { point: 'pickup' } })
  expect(coverageRefusal(judge(true, false, [inZone, inZone]))).toBeNull()
})
