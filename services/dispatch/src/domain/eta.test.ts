import { describe, expect, test } from '@jest/globals'
import { aJob, inMinutes, NOW } from '../../test/job-fixture.ts'
import { estimate, hasMoved, tabledPace } from './eta.ts'
import { completedLeg, hourOfWeek } from './leg.ts'

const KM = 1 / 111.195
const pace = { p50: 0.1, p90: 0.2 }
const accepted = aJob({
  riderId: 'r',
  status: 'accepted',
  acceptedAt: NOW,
  scheduledPickupAt: inMinutes(-30),
  dropoffLat: 6.4 + 10 * KM,
})
const position = { lat: 6.4 - 6 * KM, lng: 3.4 }
const at = (text: string | undefined) => text && Math.round((Date.parse(text) - NOW.getTime()) / 1_000)

describe('an estimate', () => {
  test('before the pickup: the way there, the handling, the way on', () => {
    const eta = estimate(accepted, position, pace, 1, NOW)!
    expect(at(eta.pickup_p50_at)).toBeCloseTo(600, -1)
    expect(at(eta.pickup_p90_at)).toBeCloseTo(1_200, -1)
    expect(at(eta.dropoff_p50_at)).toBeCloseTo(600 + 180 + 1_000, -1)
    expect(at(eta.dropoff_p90_at)).toBeCloseTo(1_200 + 600 + 2_000, -1)
  })

  test('by road is longer than as the crow flies', () => {
    expect(at(estimate(accepted, position, pace, 1.3, NOW)!.pickup_p50_at)).toBeCloseTo(780, -1)
  })

  test('expects no collection before the time that was agreed', () => {
    const later = { ...accepted, scheduledPickupAt: inMinutes(60) }
    expect(at(estimate(later, position, pace, 1, NOW)!.pickup_p50_at)).toBe(3_600)
  })

  test('leaves out the end that lies behind', () => {
    const waiting = estimate({ ...accepted, arrivedPickupAt: NOW }, { lat: 6.4, lng: 3.4 }, pace, 1, NOW)!
    expect(waiting.pickup_p50_at).toBeUndefined()
    expect(at(waiting.dropoff_p50_at)).toBeCloseTo(1_180, -1)
    const collected = { ...accepted, status: 'picked_up', pickedUpAt: NOW }
    const eta = estimate(collected, { lat: 6.4 + 8 * KM, lng: 3.4 }, pace, 1, NOW)!
    expect(Object.keys(eta)).toEqual(['dropoff_p50_at', 'dropoff_p90_at'])
    expect(at(eta.dropoff_p50_at)).toBeCloseTo(200, -1)
  })

  test('is none where the way cannot be known, before anybody said yes, and after the end', () => {
    expect(estimate(accepted, null, pace, 1, NOW)).toBeNull()
    expect(estimate({ ...accepted, acceptedAt: null }, position, pace, 1, NOW)).toBeNull()
    expect(estimate({ ...accepted, riderId: null }, position, pace, 1, NOW)).toBeNull()
    expect(estimate({ ...accepted, status: 'delivered' }, position, pace, 1, NOW)).toBeNull()
    const unknown = { ...accepted, pickupLat: null, pickupLng: null, pickedUpAt: NOW }
    expect(estimate(unknown, null, pace, 1, NOW)).toBeNull()
  })

  test('is worth a word when an end moved by a minute, or went', () => {
    const eta = { pickup_p50_at: NOW.toISOString(), dropoff_p50_at: inMinutes(20).toISOString() }
    const moved = (dropoff: Date) => hasMoved(eta, { ...eta, dropoff_p50_at: dropoff.toISOString() }, 60)
    expect(moved(inMinutes(20.9))).toBe(false)
    expect(moved(inMinutes(21))).toBe(true)
    expect(moved(inMinutes(19))).toBe(true)
    expect(hasMoved(eta, { dropoff_p50_at: eta.dropoff_p50_at }, 60)).toBe(true)
    expect(hasMoved(null, eta, 60)).toBe(true)
  })

  test('a larger vehicle is slower as long as nothing is learnt', () => {
    const paces = (['motorcycle', 'car', 'van', 'truck'] as const).map((vehicle) => tabledPace(vehicle).p50)
    expect(paces).toEqual(paces.toSorted((a, b) => a - b))
    expect(tabledPace('car').p90).toBeGreaterThan(tabledPace('car').p50)
  })
})

describe('a completed leg', () => {
  const ridden = { ...accepted, acceptedAt: inMinutes(-10), pickedUpAt: inMinutes(-20), pickupLegMetres: 3_000 }

  test('tells metres of road and seconds', () => {
    expect(completedLeg(ridden, 'pickup', NOW, 1.5)).toEqual({
      leg: 'pickup',
      metres: 4_500,
      seconds: 600,
      hourOfWeek: 5 * 24 + 12,
    })
    expect(completedLeg(ridden, 'dropoff', NOW, 1)?.metres).toBeCloseTo(10_000, -1)
  })

  test.each([
    ['a test order', { isTest: true }],
    ['an unknown start', { pickupLegMetres: null }],
    ['no time', { acceptedAt: NOW }],
    ['hardly a way', { pickupLegMetres: 150 }],
    ['a flight', { pickupLegMetres: 30_000 }],
    ['a long rest', { acceptedAt: inMinutes(-600) }],
  ])('teaches nothing of %s', (_what, changes) => {
    expect(completedLeg({ ...ridden, ...changes }, 'pickup', NOW, 1)).toBeNull()
  })

  test('belongs to the hour of the week in which it ended, from Monday', () => {
    expect(hourOfWeek(new Date('2026-11-23T00:59:00Z'))).toBe(0)
    expect(hourOfWeek(new Date('2026-11-22T23:00:00Z'))).toBe(167)
  })
})
