import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { PositionPoint } from '@svc/contracts/dispatch/v1/position_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import { merchantCaller, riderCaller } from '@svc/testing'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertCarriedOrder, insertRider } from './riders-fixture.ts'

let mesh: DispatchMesh
beforeAll(async () => {
  mesh = await dispatchMesh({ BILLING_ENFORCEMENT: 'true' })
})
afterAll(() => mesh.stop())

const LAGOS = { lat: 6.4541, lng: 3.3947 }
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const report = (riderId: string, points: PositionPoint[], caller = riderCaller(riderId)) =>
  mesh.positions(caller).recordPositions({ rider_id: riderId, points })
const refusal = (riderId: string, points: PositionPoint[], caller = riderCaller(riderId)) =>
  report(riderId, points, caller).then(
    () => {
      throw new Error('the report was accepted')
    },
    (error: unknown) => error,
  )
const logged = async (riderId: string) =>
  (
    await mesh.sql<{ lat: number }>('SELECT lat FROM rider_location_log WHERE rider_id = $1 ORDER BY lat', [riderId])
  ).map(({ lat }) => lat)

describe('which position is the present one', () => {
  test('the latest of a batch in any order, with everything that was said about it', async () => {
    const riderId = await insertRider(mesh)
    const newest = ago(5)
    const { accepted, location } = await report(riderId, [
      { ...LAGOS, recorded_at: ago(20) },
      {
        lat: 6.5,
        lng: 3.4,
        accuracy_m: 4.25,
        speed_mps: 8.1,
        heading_deg: 360,
        battery_pct: 77.5,
        recorded_at: newest,
      },
      { ...LAGOS, recorded_at: ago(10) },
    ])
    expect(accepted).toBe(3)
    expect(location).toMatchObject({
      rider_id: riderId,
      lat: 6.5,
      lng: 3.4,
      accuracy_m: 4.25,
      speed_mps: 8.1,
      heading_deg: 360,
      recorded_at: newest,
      active_order_ids: [],
      is_test: false,
      seq: 1,
    })
    expect(Date.parse(location?.received_at ?? '')).toBeGreaterThan(Date.parse(newest))
    expect(await logged(riderId)).toEqual([6.4541, 6.4541, 6.5])
  })

  test('positions that are older than it, or more than a minute ahead, are logged and counted but change nothing', async () => {
    const riderId = await insertRider(mesh)
    const first = await report(riderId, [{ ...LAGOS, recorded_at: ago(30) }])
    const later = await report(riderId, [
      { lat: 1, lng: 1, recorded_at: ago(31) },
      { lat: 2, lng: 2, recorded_at: ago(-75) },
    ])
    expect(later).toEqual({ accepted: 2, location: first.location })
    expect(await logged(riderId)).toEqual([1, 2, 6.4541])
    const ahead = await report(riderId, [
      { lat: 4, lng: 4, recorded_at: ago(-40) },
      { lat: 3, lng: 3, recorded_at: ago(-30) },
    ])
    expect(ahead.location).toMatchObject({ lat: 4, seq: 2, recorded_at: ahead.location!.received_at })
    expect((await report(riderId, [{ lat: 5, lng: 5 }])).location).toMatchObject({ lat: 5, seq: 3 })
    const [late] = await mesh.sql('SELECT FROM rider_location_log WHERE rider_id = $1 AND recorded_at > received_at', [
      riderId,
    ])
    expect(late).toBeUndefined()
  })

  test('a rider of whom only impossible times are known is nowhere', async () => {
    const riderId = await insertRider(mesh)
    expect(await report(riderId, [{ ...LAGOS, recorded_at: ago(-600) }])).toEqual({ accepted: 1, location: undefined })
  })

  test('200 reports at once leave the newest, and none is lost', async () => {
    const riderId = await insertRider(mesh)
    const start = Date.now() - 60_000
    const order = Array.from({ length: 200 }, (_, n) => n).sort((a, b) => ((a * 7919) % 200) - ((b * 7919) % 200))
    await Promise.all(
      order.map((n) => report(riderId, [{ lat: n / 10, lng: 0, recorded_at: new Date(start + n).toISOString() }])),
    )
    const [present] = await mesh.sql<{ lat: number; recorded_at: Date }>(
      'SELECT lat, recorded_at FROM rider_positions WHERE rider_id = $1',
      [riderId],
    )
    expect(present).toEqual({ lat: 19.9, recorded_at: new Date(start + 199) })
    expect((await logged(riderId)).length).toBe(200)
  })

  test('without a time of its own a position is of now', async () => {
    const riderId = await insertRider(mesh)
    const { location } = await report(riderId, [LAGOS])
    expect(location?.recorded_at).toBe(location?.received_at)
    expect(Math.abs(Date.now() - Date.parse(location?.recorded_at ?? ''))).toBeLessThan(10_000)
  })
})

describe('who may report', () => {
  test('a rider about itself only; an unknown rider, another one and no id at all answer alike', async () => {
    const riderId = await insertRider(mesh)
    const unknown = randomUUID()
    for (const [about, caller] of [
      [await insertRider(mesh), riderCaller(riderId)],
      [unknown, riderCaller(unknown)],
      ['no-uuid', riderCaller(riderId)],
      [riderId, merchantCaller()],
      ['no-uuid', merchantCaller()],
    ] as const) {
      expect(await refusal(about, [LAGOS], caller)).toMatchObject({ code: 'rider_not_found' })
    }
  })

  test('a merchant about its fleet alone, with live credentials: not about others, whatever they carry', async () => {
    const caller = merchantCaller({ isTest: false })
    const merchantId = caller.merchantId as string
    const ours = await insertRider(mesh, { merchantId })
    const theirs = await insertRider(mesh, { merchantId: randomUUID() })
    const freelancer = await insertRider(mesh)
    await insertCarriedOrder(mesh, { merchantId, riderId: freelancer })
    expect((await report(ours, [LAGOS], caller)).location).toMatchObject({ merchant_id: merchantId })
    for (const [about, as] of [
      [theirs, caller],
      [freelancer, caller],
      [ours, { ...caller, isTest: true }],
    ] as const) {
      expect(await refusal(about, [LAGOS], as)).toMatchObject({ code: 'rider_not_found' })
    }
    expect(await logged(freelancer)).toEqual([])
  })

  test("the rider's own word counts before a merchant's of the same minute, whichever comes first", async () => {
    const merchant = merchantCaller({ isTest: false })
    const riderId = await insertRider(mesh, { merchantId: merchant.merchantId as string })
    const told = async (lat: number, seconds: number, caller = riderCaller(riderId)) =>
      (await report(riderId, [{ lat, lng: 0, recorded_at: ago(seconds) }], caller)).location?.lat
    expect(await told(1, 200, merchant)).toBe(1)
    expect(await told(2, 150, merchant)).toBe(2)
    expect(await told(3, 200)).toBe(3)
    expect(await told(4, 145, merchant)).toBe(3)
    expect(await told(5, 190)).toBe(5)
    expect(await told(6, 120, merchant)).toBe(6)
    expect(await told(7, 185)).toBe(6)
    expect(await told(8, -55, merchant)).toBe(8)
    expect(await told(9, 5)).toBe(9)
  })

  test("what comes with a token that a merchant's key has minted is the merchant's report", async () => {
    const merchant = merchantCaller({ isTest: false })
    const merchantId = merchant.merchantId as string
    const riderId = await insertRider(mesh, { merchantId })
    const mintedBy = { credential: 'key:k', scopes: ['riders:location'], riderLogsIn: false }
    const minted = riderCaller(riderId, { merchantId, mintedBy })
    const told = async (lat: number, seconds: number, caller = riderCaller(riderId)) =>
      (await report(riderId, [{ lat, lng: 0, recorded_at: ago(seconds) }], caller)).location?.lat
    expect(await told(1, 200)).toBe(1)
    expect(await told(2, 150, minted)).toBe(1)
    expect(await told(3, 190)).toBe(3)
    expect(await told(4, 120, minted)).toBe(4)
    expect(await refusal(await insertRider(mesh), [LAGOS], minted)).toMatchObject({ code: 'rider_not_found' })
  })

  test("a report about the sandbox rider shows the orders of its own merchant alone, a visitor's none", async () => {
    const riderId = SANDBOX_RIDER.id
    const [ours, theirs] = [merchantCaller(), merchantCaller()].map(({ merchantId }) => merchantId as string)
    const orderId = await insertCarriedOrder(mesh, { merchantId: ours!, riderId, isTest: true })
    await insertCarriedOrder(mesh, { merchantId: theirs!, riderId, isTest: true })
    const seenBy = async (merchantId?: string) => {
      const caller = riderCaller(riderId, { isTest: true, ...(merchantId && { merchantId }) })
      return (await report(riderId, [LAGOS], caller)).location?.active_order_ids
    }
    expect(await seenBy(ours)).toEqual([orderId])
    expect(await seenBy()).toEqual([])
    expect(await logged(riderId)).toEqual([])
  })

  test('the sandbox rider is moved by test keys, never by live ones', async () => {
    const { location } = await report(SANDBOX_RIDER.id, [LAGOS], merchantCaller({ isTest: true }))
    expect(location).toMatchObject({ is_test: true })
    expect(await refusal(SANDBOX_RIDER.id, [LAGOS], merchantCaller({ isTest: false }))).toMatchObject({
      code: 'rider_not_found',
    })
  })

  test('neither a key without a scope for it nor a blocked merchant', async () => {
    const caller = merchantCaller()
    const riderId = await insertRider(mesh, { merchantId: caller.merchantId as string })
    expect(await refusal(riderId, [LAGOS], { ...caller, scopes: ['orders:read'] })).toMatchObject({ code: 'forbidden' })
    const standing = { billingStatus: 'past_due', kybStatus: 'verified', businessApprovalStatus: 'approved' }
    expect(await refusal(riderId, [LAGOS], { ...caller, standing })).toMatchObject({
      code: 'billing_blocked',
      details: { billing_status: 'past_due' },
    })
  })
})

describe('bad positions', () => {
  test.each([
    ['lat', { ...LAGOS, lat: Number.NaN }],
    ['lat', { ...LAGOS, lat: 90.000001 }],
    ['lng', { ...LAGOS, lng: Number.POSITIVE_INFINITY }],
    ['lng', { ...LAGOS, lng: -180.5 }],
    ['accuracy_m', { ...LAGOS, accuracy_m: -1 }],
    ['accuracy_m', { ...LAGOS, accuracy_m: Number.POSITIVE_INFINITY }],
    ['speed_mps', { ...LAGOS, speed_mps: Number.NaN }],
    ['heading_deg', { ...LAGOS, heading_deg: 360.1 }],
    ['battery_pct', { ...LAGOS, battery_pct: 101 }],
    ['recorded_at', { ...LAGOS, recorded_at: '0001-01-01T00:00:00.000Z' }],
    ['recorded_at', { ...LAGOS, recorded_at: new Date(Date.now() + 25 * 3_600_000).toISOString() }],
  ])('%s is named, and nothing of the report is stored', async (field, point) => {
    const riderId = await insertRider(mesh)
    expect(await refusal(riderId, [LAGOS, point])).toMatchObject({
      code: 'validation_error',
      details: { field: `points[1].${field}` },
    })
    expect(await logged(riderId)).toEqual([])
  })

  test('1 to 100 positions, the corners of the earth included', async () => {
    const riderId = await insertRider(mesh)
    const corners = [-90, 90].flatMap((lat) => [-180, 180].map((lng) => ({ lat, lng })))
    for (const count of [0, 101]) {
      expect(
        await refusal(
          riderId,
          Array.from({ length: count }, () => LAGOS),
        ),
      ).toMatchObject({
        code: 'validation_error',
        details: { field: 'points' },
      })
    }
    const all = Array.from({ length: 100 }, (_, n) => corners[n % 4] as (typeof corners)[number])
    expect(await report(riderId, all)).toMatchObject({ accepted: 100 })
  })

  test('a refused report costs those that came with it nothing', async () => {
    const riders = await Promise.all(Array.from({ length: 20 }, () => insertRider(mesh)))
    const stranger = randomUUID()
    const answers = await Promise.allSettled(
      riders.flatMap((riderId) => [report(riderId, [LAGOS]), report(stranger, [LAGOS], riderCaller(stranger))]),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBe(20)
    for (const riderId of riders) expect(await logged(riderId)).toEqual([LAGOS.lat])
  })
})
