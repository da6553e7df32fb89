import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { Caller } from '@svc/grpc'
import { adminCaller, merchantCaller, riderCaller } from '@svc/testing'
import geodesic from 'geographiclib-geodesic'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertCarriedOrder, insertRider } from './riders-fixture.ts'
import { signUp } from './sign-up.ts'

let mesh: DispatchMesh
beforeAll(async () => {
  mesh = await dispatchMesh()
})
afterAll(() => mesh.stop())

interface Place {
  lat: number
  lng: number
}

const metresBetween = (a: Place, b: Place) =>
  geodesic.Geodesic.WGS84.Inverse(a.lat, a.lng, b.lat, b.lng, geodesic.Geodesic.DISTANCE).s12 as number

/** Fleet and freelancers alike, so that each test has riders of its own: places far from those of the others. */
async function ridersAt(places: readonly Place[], merchantId: string): Promise<Map<string, Place>> {
  const riders = new Map<string, Place>()
  for (const place of places) {
    const riderId = await insertRider(mesh, { merchantId })
    await mesh.positions(riderCaller(riderId)).recordPositions({ rider_id: riderId, points: [place] })
    riders.set(riderId, place)
  }
  return riders
}

const phoneOf = (riderId: string) => `+234${Number.parseInt(riderId.slice(0, 8), 16)}`

const near = async (
  caller: Caller,
  point: Place,
  changes: Partial<{ metres: number; limit: number; online: boolean }> = {},
) => {
  const { metres = 5_000, limit = 50, online = false } = changes
  return (await mesh.positions(caller).listRidersNear({ point, metres, limit, online_only: online })).items
}

describe('distances', () => {
  // Around the globe: the equator, both poles, both sides of the antimeridian.
  test.each([
    ['Lagos', { lat: 6.4541, lng: 3.3947 }],
    ['the equator', { lat: 0, lng: -60 }],
    ['Tromsø', { lat: 69.6492, lng: 18.9553 }],
    ['the antimeridian', { lat: -16.5, lng: 179.99 }],
    ['the north pole', { lat: 89.97, lng: 10 }],
    ['the south pole', { lat: -90, lng: 0 }],
  ])(
    'near %s are those of the ellipsoid within 0.1 %, nearest first, and nobody within reach is missing',
    async (_name, here) => {
      const caller = merchantCaller({ isTest: false })
      const places = Array.from({ length: 40 }, (_, n) => {
        const { lat2, lon2 } = geodesic.Geodesic.WGS84.Direct(here.lat, here.lng, n * 47, 150 * (n + 1))
        return { lat: lat2 as number, lng: lon2 as number }
      })
      const riders = await ridersAt(places, caller.merchantId as string)
      const expected = [...riders]
        .map(([riderId, place]) => ({ riderId, metres: metresBetween(here, place) }))
        .toSorted((a, b) => a.metres - b.metres)

      const all = await near(caller, here, { metres: 100_000 })
      expect(all.map(({ rider_id }) => rider_id)).toEqual(expected.map(({ riderId }) => riderId))
      for (const [index, { distance_m }] of all.entries()) {
        const { metres } = expected[index] as (typeof expected)[number]
        expect(Math.abs(distance_m - metres) / metres).toBeLessThan(0.001)
      }
      const within = await near(caller, here, { metres: 3_010, limit: 7 })
      expect(within.map(({ rider_id }) => rider_id)).toEqual(expected.slice(0, 7).map(({ riderId }) => riderId))
      expect((await near(caller, here, { metres: 3_010 })).length).toBe(20)
    },
  )

  test('two that are nearly equally far are ordered by the ellipsoid, where a sphere says the opposite', async () => {
    const caller = merchantCaller({ isTest: false })
    const here = { lat: 1, lng: 40 }
    // A degree of latitude is shorter than one of longitude here, by 0.7 %; on a sphere it is the other way round.
    const north = { lat: 1.03, lng: 40 }
    const east = { lat: 1, lng: 40.0299 }
    const [northern, eastern] = [...(await ridersAt([north, east], caller.merchantId as string)).keys()]
    expect(metresBetween(here, north)).toBeLessThan(metresBetween(here, east))
    const order = async (limit: number) => (await near(caller, here, { limit })).map(({ rider_id }) => rider_id)
    expect(await order(10)).toEqual([northern, eastern])
    expect(await order(1)).toEqual([northern])
  })
})

describe('who is found', () => {
  const here = { lat: 20, lng: 20 }

  test('the own fleet and freelancers, never the fleet of another; an operator sees what the merchant sees', async () => {
    const { id: merchantId } = await signUp(mesh)
    const caller = merchantCaller({ merchantId, isTest: false })
    const ours = await insertRider(mesh, { merchantId })
    const theirs = await insertRider(mesh, { merchantId: randomUUID() })
    const freelancer = await insertRider(mesh)
    for (const riderId of [ours, theirs, freelancer]) {
      await mesh.positions(riderCaller(riderId)).recordPositions({ rider_id: riderId, points: [here] })
    }
    const found = await near(caller, here)
    expect(new Set(found.map(({ rider_id }) => rider_id))).toEqual(new Set([ours, freelancer]))
    expect(found.find(({ rider_id }) => rider_id === ours)).toMatchObject({
      name: 'Bola Ade',
      vehicle_type: 'motorcycle',
      ...here,
      distance_m: 0,
      is_online: true,
    })

    const request = { merchant_id: merchantId, point: here, metres: 5_000, limit: 50, online_only: false }
    const asOperator = await mesh.positions(adminCaller()).listRidersNear(request)
    expect(asOperator.items.map(({ rider_id }) => rider_id)).toEqual(found.map(({ rider_id }) => rider_id))
    await expect(
      mesh.positions(adminCaller({ permissions: ['admin.orders.read'] })).listRidersNear(request),
    ).rejects.toMatchObject({ code: 'forbidden' })
    await expect(mesh.positions(riderCaller(ours)).listRidersNear(request)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('nobody for an operator who names a merchant that does not exist: not_found, no empty list', async () => {
    const request = { merchant_id: randomUUID(), point: here, metres: 5_000, limit: 50, online_only: false }
    await expect(mesh.positions(adminCaller()).listRidersNear(request)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('only those heard of lately, and only those online where that is asked', async () => {
    const caller = merchantCaller({ isTest: false })
    const merchantId = caller.merchantId as string
    const there = { lat: 30, lng: 30 }
    const [live, stale, offline] = await Promise.all([
      insertRider(mesh, { merchantId }),
      insertRider(mesh, { merchantId }),
      insertRider(mesh, { merchantId, isOnline: false }),
    ])
    const at = (seconds: number) => ({ ...there, recorded_at: new Date(Date.now() - seconds * 1000).toISOString() })
    for (const [riderId, seconds] of [
      [live, 250],
      [stale, 310],
      [offline, 1],
    ] as const) {
      await mesh.positions(riderCaller(riderId)).recordPositions({ rider_id: riderId, points: [at(seconds)] })
    }
    const found = await near(caller, there)
    expect(new Set(found.map(({ rider_id }) => rider_id))).toEqual(new Set([live, offline]))
    const age = found.find(({ rider_id }) => rider_id === live)?.location_age_seconds
    expect(age).toBeGreaterThanOrEqual(250)
    expect(age).toBeLessThan(300)
    expect((await near(caller, there, { online: true })).map(({ rider_id }) => rider_id)).toEqual([live])
  })

  test('a freelancer only as a stranger, until an order of the merchant is on it; operators see all', async () => {
    const { id: merchantId } = await signUp(mesh)
    const caller = merchantCaller({ merchantId, isTest: false })
    const there = { lat: -20.1234, lng: 60.1234 }
    const [nearer, farther] = [await insertRider(mesh), await insertRider(mesh)]
    for (const [riderId, lat] of [
      [nearer, -20.1236],
      [farther, -20.1266],
    ] as const) {
      await mesh.sql("UPDATE riders SET name = 'Bola Canary', phone = $2 WHERE id = $1", [riderId, phoneOf(riderId)])
      await mesh
        .positions(riderCaller(riderId))
        .recordPositions({ rider_id: riderId, points: [{ lat, lng: there.lng }] })
    }
    const seen = await near(caller, there)
    expect(seen.map(({ rider_id }) => rider_id)).toEqual([nearer, farther])
    expect(JSON.stringify(seen)).not.toMatch(/Canary|\+234|20\.1236|20\.1266/)
    for (const { distance_m, name, phone } of seen) expect([distance_m % 500, name, phone]).toEqual([0, 'Bola', ''])

    const [stranger] = await near(merchantCaller({ isTest: false }), there)
    expect(stranger).toEqual(seen[0])
    await insertCarriedOrder(mesh, { merchantId, riderId: nearer })
    const [carrier, other] = await near(caller, there)
    expect(carrier).toMatchObject({ name: 'Bola Canary', phone: phoneOf(nearer), lat: -20.1236 })
    expect(other).toEqual(seen[1])

    const request = { merchant_id: merchantId, point: there, metres: 5_000, limit: 50, online_only: false }
    const { items } = await mesh.positions(adminCaller()).listRidersNear(request)
    expect(items.map(({ phone }) => phone)).toEqual([phoneOf(nearer), phoneOf(farther)])
  })

  test('no freelancer for a merchant that may not trade; its own fleet as before', async () => {
    const merchantId = randomUUID()
    const there = { lat: -25, lng: 65 }
    const [ours, freelancer] = [await insertRider(mesh, { merchantId }), await insertRider(mesh)]
    for (const riderId of [ours, freelancer])
      await mesh.positions(riderCaller(riderId)).recordPositions({ rider_id: riderId, points: [there] })
    const found = async (kybStatus: string, businessApprovalStatus: string) => {
      const standing = { billingStatus: 'active', kybStatus, businessApprovalStatus }
      const items = await near(merchantCaller({ merchantId, isTest: false, standing }), there)
      return items.map(({ rider_id }) => rider_id)
    }
    expect(new Set(await found('verified', 'approved'))).toEqual(new Set([ours, freelancer]))
    expect(await found('not_submitted', 'approved')).toEqual([ours])
    expect(await found('verified', 'pending')).toEqual([ours])
    const unknown = merchantCaller({ merchantId, isTest: false, standing: undefined })
    expect(await near(unknown, there)).toMatchObject([
      { rider_id: ours, phone: expect.stringContaining('+'), ...there },
    ])
  })

  test('with test credentials the sandbox rider alone, never a live one', async () => {
    const merchantId = randomUUID()
    const there = { lat: -45, lng: -45 }
    for (const riderId of [await insertRider(mesh, { merchantId }), await insertRider(mesh)])
      await mesh.positions(riderCaller(riderId)).recordPositions({ rider_id: riderId, points: [there] })
    expect(await near(merchantCaller({ merchantId, isTest: true }), there)).toEqual([])
  })

  test('the sandbox rider with test keys only', async () => {
    const there = { lat: -40, lng: -40 }
    const test = merchantCaller({ isTest: true })
    await mesh.positions(test).recordPositions({ rider_id: SANDBOX_RIDER.id, points: [there] })
    expect((await near(test, there)).map(({ rider_id }) => rider_id)).toEqual([SANDBOX_RIDER.id])
    expect(await near(merchantCaller({ isTest: false }), there)).toEqual([])
    expect(await near(merchantCaller({ isTest: null }), there)).toEqual([])
  })
})

test.each([
  ['lat', { point: { lat: Number.NaN, lng: 0 } }],
  ['lng', { point: { lat: 0, lng: 181 } }],
  ['lat', { point: undefined }],
  ['metres', { metres: 0 }],
  ['metres', { metres: 100_001 }],
  ['limit', { limit: 101 }],
])('a bad %s is named', async (field, changes) => {
  const request = { point: { lat: 0, lng: 0 }, metres: 5_000, limit: 20, online_only: false, ...changes }
  await expect(mesh.positions(merchantCaller()).listRidersNear(request)).rejects.toMatchObject({
    code: 'validation_error',
    details: { field },
  })
})
