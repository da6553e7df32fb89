import { describe, expect, test } from '@jest/globals'
import { aJob, inMinutes, NOW } from '../../test/job-fixture.ts'
import { metresBetween } from './distance.ts'
import type { Job } from './job.ts'
import { sightings } from './progress.ts'

const PICKUP = { lat: 6.4, lng: 3.4 }
const DROPOFF = { lat: 6.5, lng: 3.4 }
const rules = { departureM: 200, arrivalM: 100 }
const seen = (job: Partial<Job>, lat: number, more: { departureM?: number; at?: Date; riderId?: string } = {}) =>
  sightings(
    aJob({ riderId: 'r', ...job }),
    { riderId: more.riderId ?? 'r', lat, lng: 3.4, recordedAt: more.at ?? NOW },
    { ...rules, ...(more.departureM !== undefined && { departureM: more.departureM }) },
  )
const away = (metres: number) => PICKUP.lat + metres / 111_195

describe('arrival at the pickup', () => {
  test('is seen within reach, of a rider who accepted, once', () => {
    expect(seen({ status: 'accepted' }, away(99))).toEqual(['arrived_pickup'])
    expect(seen({ status: 'accepted' }, away(102))).toEqual([])
    expect(seen({ status: 'pending' }, away(0))).toEqual([])
    expect(seen({ status: 'accepted', arrivedPickupAt: NOW }, away(0))).toEqual([])
    expect(seen({ status: 'accepted' }, away(0), { riderId: 'other' })).toEqual([])
  })
})

describe('departure', () => {
  const collected = { status: 'picked_up', pickedUpAt: inMinutes(-1) }

  test('is seen beyond its distance, by a position of the time after the collection, once', () => {
    expect(seen(collected, away(201))).toEqual(['departed'])
    expect(seen(collected, away(199))).toEqual([])
    expect(seen(collected, away(201), { at: inMinutes(-2) })).toEqual([])
    expect(seen({ ...collected, departedAt: NOW }, away(201))).toEqual([])
    expect(seen({ ...collected, status: 'in_transit' }, away(201))).toEqual([])
  })

  test('is never seen where the operator has switched it off, or nobody knows the pickup', () => {
    expect(seen(collected, away(5_000), { departureM: 0 })).toEqual([])
    expect(seen({ ...collected, pickupLat: null, pickupLng: null }, away(5_000))).toEqual([])
  })
})

describe('arrival at the dropoff', () => {
  test('is seen after the collection alone, in whatever status of the merchant’s own, once', () => {
    const collected = { status: 'at_the_gate', pickedUpAt: inMinutes(-9) }
    expect(seen(collected, DROPOFF.lat)).toEqual(['arrived_dropoff'])
    expect(seen({ ...collected, arrivedDropoffAt: NOW }, DROPOFF.lat)).toEqual([])
    expect(seen({ status: 'accepted' }, DROPOFF.lat)).toEqual([])
    expect(seen({ ...collected, status: 'delivered' }, DROPOFF.lat)).toEqual([])
  })
})

test('distances are those of the sphere, across the antimeridian and at the poles', () => {
  expect(metresBetween(PICKUP, DROPOFF)).toBeCloseTo(11_119.5, 0)
  expect(metresBetween({ lat: 0, lng: 179.999 }, { lat: 0, lng: -179.999 })).toBeCloseTo(222.4, 0)
  expect(metresBetween({ lat: 90, lng: 0 }, { lat: 90, lng: 137 })).toBeCloseTo(0, 5)
  expect(metresBetween({ lat: 0, lng: 0 }, { lat: 0, lng: 180 })).toBeCloseTo(20_015_114, -1)
})
