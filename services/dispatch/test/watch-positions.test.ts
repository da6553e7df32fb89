import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { RealtimeEvent, type RiderMoved } from '@svc/contracts/dispatch/v1/realtime'
import { SANDBOX_RIDER } from '@svc/credentials'
import { systemCaller } from '@svc/grpc'
import { eventually, merchantCaller, riderCaller } from '@svc/testing'
import { Redis } from 'ioredis'
import { REALTIME_CHANNEL } from '../src/peers/realtime.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertCarriedOrder, insertRider } from './riders-fixture.ts'

let mesh: DispatchMesh
let redis: Redis
const moves: RiderMoved[] = []

beforeAll(async () => {
  mesh = await dispatchMesh()
  redis = new Redis(mesh.environment.REDIS_URL as string)
  redis.on('messageBuffer', (_channel: Buffer, bytes: Buffer) => {
    const { event } = RealtimeEvent.decode(bytes)
    if (event?.$case === 'rider_moved') moves.push(event.value)
  })
  await redis.subscribe(mesh.environment.REDIS_PREFIX + REALTIME_CHANNEL)
})
afterAll(async () => {
  redis.disconnect()
  await mesh.stop()
})

const LAGOS = { lat: 6.4541, lng: 3.3947 }
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const report = (riderId: string, points = [LAGOS] as Array<typeof LAGOS & { recorded_at?: string }>) =>
  mesh.positions(riderCaller(riderId)).recordPositions({ rider_id: riderId, points })
const movesOf = (riderId: string) =>
  moves.filter(({ locations }) => locations.some(({ rider_id }) => rider_id === riderId))
const byMerchant = (locations: RiderMoved['locations']) =>
  Object.fromEntries(locations.map(({ merchant_id, active_order_ids }) => [merchant_id, active_order_ids]))

describe('what the sockets are told', () => {
  test('each merchant that may watch hears of its own orders only; pages of orders under way are named', async () => {
    const [fleet, customer] = [randomUUID(), randomUUID()]
    const riderId = await insertRider(mesh, { merchantId: fleet })
    const carried = await insertCarriedOrder(mesh, { merchantId: customer, riderId, status: 'in_transit' })
    const waiting = await insertCarriedOrder(mesh, { merchantId: customer, riderId, status: 'pending' })
    const own = await insertCarriedOrder(mesh, { merchantId: fleet, riderId, status: 'loading at the dock' })
    const { location } = await report(riderId)
    const [move] = await eventually(() => movesOf(riderId).length > 0 && movesOf(riderId))
    expect(byMerchant(move?.locations ?? [])).toEqual({ [fleet]: [own], [customer]: [carried, waiting] })
    for (const each of move?.locations ?? [])
      expect(each).toMatchObject({ ...LAGOS, seq: location?.seq, is_test: false })
    expect(new Set(move?.tracked_order_ids)).toEqual(new Set([carried, own]))
  })

  test('nothing of a rider whom nobody may watch, nor of positions that changed nothing', async () => {
    const alone = await insertRider(mesh)
    const watched = await insertRider(mesh, { merchantId: randomUUID() })
    await report(alone)
    await report(watched)
    await report(watched, [{ lat: 1, lng: 1, recorded_at: ago(60) }])
    await report(watched, [{ lat: 2, lng: 2 }])
    await eventually(() => movesOf(watched).length === 2)
    expect(movesOf(watched).map(({ locations }) => locations[0]?.lat)).toEqual([LAGOS.lat, 2])
    expect(movesOf(alone)).toEqual([])
  })
})

describe('the riders that a merchant may watch', () => {
  test('its fleet and those who carry its orders, as long as they are heard of', async () => {
    const caller = merchantCaller({ isTest: false })
    const merchantId = caller.merchantId as string
    const [ours, silent, carrier, stranger] = await Promise.all([
      insertRider(mesh, { merchantId }),
      insertRider(mesh, { merchantId }),
      insertRider(mesh),
      insertRider(mesh),
    ])
    await Promise.all([ours, carrier, stranger].map((riderId) => report(riderId)))
    await report(silent, [{ ...LAGOS, recorded_at: ago(301) }])
    const orderId = await insertCarriedOrder(mesh, { merchantId, riderId: carrier })
    await insertCarriedOrder(mesh, { merchantId: randomUUID(), riderId: carrier })

    const { riders } = await mesh.positions(caller).listLivePositions({})
    expect(Object.fromEntries(riders.map(({ rider_id, active_order_ids }) => [rider_id, active_order_ids]))).toEqual({
      [ours]: [],
      [carrier]: [orderId],
    })
    expect(new Set(riders.map(({ merchant_id }) => merchant_id))).toEqual(new Set([merchantId]))
    const snapshot = await mesh.positions(systemCaller('gateway')).listLivePositions({ merchant_id: merchantId })
    expect(snapshot).toEqual({ riders })
  })

  test('the sandbox rider while it carries a test order, and never with a live key', async () => {
    const caller = merchantCaller({ isTest: true })
    const merchantId = caller.merchantId as string
    await report(SANDBOX_RIDER.id)
    const orderId = await insertCarriedOrder(mesh, { merchantId, riderId: SANDBOX_RIDER.id, isTest: true })
    expect((await mesh.positions(caller).listLivePositions({})).riders).toMatchObject([
      { rider_id: SANDBOX_RIDER.id, active_order_ids: [orderId], is_test: true },
    ])
    expect((await mesh.positions({ ...caller, isTest: false }).listLivePositions({})).riders).toEqual([])
  })

  test('nobody but merchants and the gateway itself', async () => {
    const merchant_id = randomUUID()
    for (const caller of [riderCaller(randomUUID()), systemCaller('gateway')]) {
      await expect(mesh.positions(caller).listLivePositions({})).rejects.toMatchObject({ code: 'forbidden' })
    }
    const other = await mesh.positions(merchantCaller()).listLivePositions({ merchant_id })
    expect(other).toEqual({ riders: [] })
  })
})

describe('the position on the page of an order', () => {
  const gateway = { ...systemCaller('gateway'), kind: 'public' } as const
  const tracked = (orderId: string, riderId: string) =>
    mesh.positions(gateway).getTrackedPosition({ order_id: orderId, rider_id: riderId })

  test('is shown from the acceptance until the order ends, and of its own rider only', async () => {
    const riderId = await insertRider(mesh)
    const merchantId = randomUUID()
    const { location } = await report(riderId)
    const statuses = ['draft', 'pending', 'accepted', 'picked_up', 'in_transit', 'delivered', 'cancelled']
    const shown: string[] = []
    for (const status of statuses) {
      const orderId = await insertCarriedOrder(mesh, { merchantId, riderId, status })
      const { point, recorded_at } = await tracked(orderId, riderId)
      if (!point) continue
      expect({ point, recorded_at }).toEqual({ point: LAGOS, recorded_at: location?.recorded_at })
      shown.push(status)
    }
    expect(shown).toEqual(['accepted', 'picked_up', 'in_transit'])

    const orderId = await insertCarriedOrder(mesh, { merchantId, riderId })
    const other = await insertRider(mesh)
    await report(other)
    for (const [order, rider] of [
      [orderId, other],
      [randomUUID(), riderId],
      ['no-uuid', riderId],
    ] as const) {
      expect((await tracked(order, rider)).point).toBeUndefined()
    }
    await expect(
      mesh.positions(merchantCaller()).getTrackedPosition({ order_id: orderId, rider_id: riderId }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })
})
