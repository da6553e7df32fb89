import { describe, expect, test } from '@jest/globals'
import { askedTogether, byRank, type Candidate, leftOut, score } from './candidate.ts'
import type { DispatchRules, MerchantRules } from './dispatch-rules.ts'

const rules = {
  loadPenaltyM: 500,
  maxActiveOrders: 2,
  codCapMinor: 10_000,
  maxLocationAgeSeconds: 120,
  kycRequired: true,
} as DispatchRules
const wanted = { radiusM: 3_000, vehicleType: 'car' as const, codMinor: 4_000, offered: new Set(['asked']) }
const candidate = (riderId: string, changes: Partial<Candidate> = {}): Candidate => ({
  riderId,
  isFleet: true,
  isOnline: true,
  kycStatus: 'approved',
  vehicleType: 'car',
  lastCompletedAt: null,
  activeOrders: 0,
  bindingOrders: 0,
  codMinor: 0,
  distanceM: 100,
  strangeDistanceM: 500,
  locationAgeSeconds: 10,
  ...changes,
})

describe('who can be asked', () => {
  test.each<[string | null, string, Partial<Candidate>]>([
    [null, 'r', {}],
    [null, 'r', { codMinor: 6_000 }],
    ['cod_cap', 'r', { codMinor: 6_001, bindingOrders: 2 }],
    [null, 'r', { vehicleType: 'truck', distanceM: 3_000, locationAgeSeconds: 120, activeOrders: 1 }],
    ['already_offered', 'asked', {}],
    ['offline', 'r', { isOnline: false }],
    ['stale_location', 'r', { locationAgeSeconds: 120.5 }],
    ['stale_location', 'r', { distanceM: null, locationAgeSeconds: null }],
    ['kyc', 'r', { kycStatus: 'pending' }],
    ['vehicle', 'r', { vehicleType: 'motorcycle' }],
    ['out_of_reach', 'r', { distanceM: 3_000.1 }],
    ['at_capacity', 'r', { bindingOrders: 2 }],
    [null, 'r', { activeOrders: 9 }],
  ])('%s: %s %j', (reason, riderId, changes) => {
    expect(leftOut(candidate(riderId, changes), wanted, rules)).toBe(reason)
  })

  test('without a cap riders carry any amount of cash', () => {
    expect(leftOut(candidate('r', { codMinor: 1e12 }), wanted, { ...rules, codCapMinor: null })).toBeNull()
  })

  test('approval is asked for only where the operator requires it', () => {
    expect(leftOut(candidate('r', { kycStatus: 'pending' }), wanted, { ...rules, kycRequired: false })).toBeNull()
  })
})

describe('the order in which they are asked', () => {
  test('the own fleet before freelancers, then score, then the longest idle, then the id', () => {
    const ranked = [
      candidate('freelancer', { isFleet: false, distanceM: 1 }),
      candidate('loaded', { distanceM: 50, activeOrders: 1 }),
      candidate('far', { distanceM: 300 }),
      candidate('b', { distanceM: 200, lastCompletedAt: new Date(1_000) }),
      candidate('c', { distanceM: 200 }),
      candidate('a', { distanceM: 200, lastCompletedAt: new Date(1_000) }),
      candidate('d', { distanceM: 200, lastCompletedAt: new Date(2_000) }),
    ].toSorted(byRank(500))
    expect(ranked.map(({ riderId }) => riderId)).toEqual(['c', 'a', 'b', 'd', 'far', 'loaded', 'freelancer'])
    expect(score(candidate('loaded', { distanceM: 50, activeOrders: 1 }), 500)).toEqual({
      scoreM: 550,
      parts: { distance_m: 50, load_penalty_m: 500 },
    })
  })

  test('the mode says how many at once, and freelancers wait until no one of the fleet is left', () => {
    const merchant: MerchantRules = { autoDispatch: true, mode: 'batch', batchSize: 2, fleetOnly: false }
    const fleet = [candidate('a'), candidate('b'), candidate('c')]
    const others = [candidate('x', { isFleet: false }), candidate('y', { isFleet: false })]
    const asked = (mode: MerchantRules['mode'], ranked: Candidate[]) =>
      askedTogether(ranked, { ...merchant, mode }).map(({ riderId }) => riderId)
    expect(asked('one_by_one', [...fleet, ...others])).toEqual(['a'])
    expect(asked('batch', [...fleet, ...others])).toEqual(['a', 'b'])
    expect(asked('broadcast', [...fleet, ...others])).toEqual(['a', 'b', 'c'])
    expect(asked('batch', [candidate('a'), ...others])).toEqual(['a'])
    expect(asked('broadcast', others)).toEqual(['x', 'y'])
    expect(asked('batch', [])).toEqual([])
  })
})
