import { describe, expect, test } from '@jest/globals'
import { aJob, inMinutes, NOW } from '../../test/job-fixture.ts'
import type { DispatchRules, MerchantRules } from './dispatch-rules.ts'
import type { Job } from './job.ts'
import type { Offer } from './offer.ts'
import { nextLookAt, searchStep } from './search-step.ts'

const MINUTE_MS = 60_000
const merchant: MerchantRules = { autoDispatch: true, mode: 'one_by_one', batchSize: 3, fleetOnly: false }
const rules: DispatchRules = {
  leadMs: 60 * MINUTE_MS,
  offerTtlMs: 30_000,
  delayedAfterMs: 5 * MINUTE_MS,
  exhaustedAfterMs: 20 * MINUTE_MS,
  retryMs: 5 * MINUTE_MS,
  radiiM: [3_000, 5_000, 8_000],
  loadPenaltyM: 500,
  maxActiveOrders: 5,
  codCapMinor: null,
  maxLocationAgeSeconds: 120,
  kycRequired: true,
}

const offer = (id: string, changes: Partial<Offer> = {}): Offer => ({
  id,
  orderId: 'o',
  riderId: 'r',
  merchantId: 'm',
  isTest: false,
  kind: 'auto',
  state: 'pending',
  round: 1,
  rank: 1,
  scoreM: 1,
  distanceM: 1,
  loadPenaltyM: 0,
  assignmentVersion: 0,
  actor: null,
  accept: true,
  lease: null,
  leaseUntil: null,
  expiresAt: inMinutes(0.5),
  createdAt: NOW,
  respondedAt: null,
  ...changes,
})

interface Given {
  job?: Partial<Job>
  offers?: Offer[]
  merchant?: Partial<MerchantRules>
  opensAt?: Date | null
}
const step = (given: Given = {}) =>
  searchStep({
    job: aJob(given.job),
    offers: given.offers ?? [],
    merchant: { ...merchant, ...given.merchant },
    rules,
    opensAt: given.opensAt === undefined ? NOW : given.opensAt,
    now: NOW,
  })

describe('the beginning', () => {
  test('riders are asked at once when the pickup is near', () => {
    expect(step()).toMatchObject({ ask: true, search: 'searching', searchStartedAt: NOW })
  })

  test('a pickup later than the lead waits until the lead before it, or its creation', () => {
    expect(step({ job: { scheduledPickupAt: inMinutes(90) } })).toMatchObject({ ask: false, nextAt: inMinutes(30) })
    expect(step({ job: { scheduledPickupAt: inMinutes(5), orderCreatedAt: inMinutes(1) } }).nextAt).toEqual(
      inMinutes(1),
    )
  })

  test.each<[string, Given]>([
    ['dispatch is by hand', { merchant: { autoDispatch: false } }],
    ['somebody has the order', { job: { riderId: 'r' } }],
    ['the order is not pending', { job: { status: 'draft' } }],
    ['nobody knows where the pickup is', { job: { pickupLat: null, pickupLng: null } }],
  ])('nobody is asked when %s', (_why, given) => {
    expect(step(given)).toMatchObject({ ask: false, search: 'idle', nextAt: null })
  })

  test('the end of the order closes the search and takes open offers back', () => {
    expect(step({ job: { status: 'cancelled', search: 'searching' }, offers: [offer('a')] })).toMatchObject({
      search: 'closed',
      withdrawn: ['a'],
      nextAt: null,
    })
  })

  test('a closed schedule asks nobody and begins the search anew when it opens, looking every ten minutes', () => {
    const searching = { search: 'searching', searchStartedAt: inMinutes(-19) } as const
    expect(step({ job: searching, opensAt: inMinutes(4) })).toMatchObject({
      ask: false,
      search: 'idle',
      searchStartedAt: null,
      nextAt: inMinutes(4),
    })
    expect(step({ opensAt: inMinutes(600) }).nextAt).toEqual(inMinutes(10))
    expect(step({ opensAt: null }).nextAt).toEqual(inMinutes(10))
  })
})

describe('a search', () => {
  const searching = { search: 'searching', searchStartedAt: inMinutes(-1) } as const

  test('waits for the offer that ends first and asks nobody else meanwhile', () => {
    const offers = [offer('a', { expiresAt: inMinutes(2) }), offer('b', { expiresAt: inMinutes(1) })]
    expect(step({ job: searching, offers })).toMatchObject({ ask: false, nextAt: inMinutes(1), expired: [] })
  })

  test('asks the next as soon as every offer has ended, by a no or by time', () => {
    const offers = [offer('a', { state: 'declined' }), offer('b', { expiresAt: NOW })]
    expect(step({ job: searching, offers })).toMatchObject({ ask: true, expired: ['b'] })
  })

  test('waits for an acceptance that is under way, however long it takes', () => {
    const offers = [offer('a', { state: 'accepting', leaseUntil: inMinutes(0.2) })]
    const late = { ...searching, searchStartedAt: inMinutes(-60) }
    expect(step({ job: late, offers })).toMatchObject({ ask: false, nextAt: inMinutes(0.2), announceExhausted: false })
  })

  test('is never due at once again, also while an acceptance whose lease has ended waits to be taken over', () => {
    const offers = [offer('a', { state: 'accepting', leaseUntil: inMinutes(-1) })]
    expect(Number(step({ job: searching, offers }).nextAt)).toBeGreaterThan(Number(NOW))
  })

  test('is announced as delayed once', () => {
    const late = { ...searching, searchStartedAt: inMinutes(-5) }
    expect(step({ job: late }).announceDelayed).toBe(true)
    expect(step({ job: { ...late, delayedAt: inMinutes(-1) } }).announceDelayed).toBe(false)
  })

  test('is looked at when it becomes delayed, though offers are open longer', () => {
    const soon = { ...searching, searchStartedAt: inMinutes(-4.9) }
    const offers = [offer('a', { expiresAt: inMinutes(4) })]
    expect(Number(step({ job: soon, offers }).nextAt)).toBeCloseTo(Number(inMinutes(0.1)), -1)
  })

  test('is exhausted when its time is over and nobody can answer any more, and the order stays pending', () => {
    const over = { ...searching, searchStartedAt: inMinutes(-20), delayedAt: inMinutes(-15) }
    expect(step({ job: over })).toMatchObject({ announceExhausted: true, search: 'exhausted', nextAt: inMinutes(5) })
    expect(step({ job: over, offers: [offer('a')] })).toMatchObject({ announceExhausted: false, search: 'searching' })
  })
})

describe('an exhausted search', () => {
  const exhausted = { search: 'exhausted', searchStartedAt: inMinutes(-25), delayedAt: inMinutes(-20) } as const

  test('tries again until the delivery window ends, and is not announced again', () => {
    expect(step({ job: exhausted })).toMatchObject({ ask: true, announceExhausted: false })
    expect(step({ job: { ...exhausted, deliveryWindowEnd: inMinutes(-1) } })).toMatchObject({
      ask: false,
      nextAt: null,
    })
  })

  test('pauses between its tries and ends with the window', () => {
    const at = step({ job: exhausted })
    expect(nextLookAt(aJob(exhausted), at, rules, NOW)).toEqual(inMinutes(5))
    expect(nextLookAt(aJob({ ...exhausted, deliveryWindowEnd: inMinutes(4) }), at, rules, NOW)).toBeNull()
  })
})
