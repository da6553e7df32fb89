import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { RealtimeEvent } from '@svc/contracts/dispatch/v1/realtime'
import type { Caller } from '@svc/grpc'
import { eventually, riderCaller, testServers } from '@svc/testing'
import { Redis } from 'ioredis'
import { REALTIME_CHANNEL } from '../src/peers/realtime.ts'
import {
  createOrder,
  DROPOFF,
  factOf,
  factsOf,
  insertMerchant,
  insertRateCard,
  movableClock,
  north,
  PICKUP,
  reportPosition,
} from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'

let mesh: DispatchMesh
let clock: ReturnType<typeof movableClock>
let rider: string
let merchant: Caller
let orderId: string
beforeAll(async () => {
  mesh = await dispatchMesh()
  clock = movableClock(mesh)
  await insertRateCard(mesh)
})
beforeEach(async () => {
  merchant = await insertMerchant(mesh, { autoDispatch: false })
  rider = await insertRider(mesh)
  await reportPosition(mesh, rider, north(PICKUP, 3_000))
  orderId = await createOrder(mesh, merchant)
  await mesh.assignments(merchant).assignRider({ order_id: orderId, rider_id: rider })
  await report('accepted')
})
afterAll(() => mesh.stop())

const report = (status: string) =>
  mesh.fulfilment(riderCaller(rider)).updateRiderOrderStatus({ order_id: orderId, status })
const untilKnown = (status: string) =>
  eventually(async () => {
    const [job] = await mesh.sql<{ status: string }>('SELECT status FROM dispatch_jobs WHERE order_id = $1', [orderId])
    return job?.status === status
  })
const announced = (type: string) =>
  eventually(async () => (await factOf(mesh, orderId, type)) ?? null, { message: type })
const orderNow = async () => (await mesh.orders(merchant).getOrder({ id: orderId })).order!

describe('positions', () => {
  test('announce the arrival at the pickup once', async () => {
    await untilKnown('accepted')
    await reportPosition(mesh, rider, north(PICKUP, 120))
    await reportPosition(mesh, rider, north(PICKUP, 90))
    await announced('order.rider_arrived_pickup')
    await reportPosition(mesh, rider, north(PICKUP, 200))
    await reportPosition(mesh, rider, north(PICKUP, 10))
    await report('picked_up')
    await untilKnown('picked_up')
    expect((await factsOf(mesh, orderId)).filter((type) => type === 'order.rider_arrived_pickup')).toHaveLength(1)
  })

  test('put a collected order in transit when the rider is far enough from the pickup, and announce the arrival', async () => {
    await report('picked_up')
    await untilKnown('picked_up')
    await reportPosition(mesh, rider, north(PICKUP, 150))
    await reportPosition(mesh, rider, north(PICKUP, 250))
    await eventually(async () => expect((await orderNow()).status).toBe('in_transit'))
    expect(await factOf(mesh, orderId, 'order.status_updated')).toMatchObject({ previous_status: 'picked_up' })
    await reportPosition(mesh, rider, DROPOFF)
    await announced('order.rider_arrived_dropoff')
    await report('delivered')
    expect((await factsOf(mesh, orderId)).filter((type) => type === 'order.rider_arrived_dropoff')).toHaveLength(1)
    const [row] = await eventually(async () => {
      const rows = await mesh.sql<{ done: boolean; active: number }>(
        `SELECT last_completed_at IS NOT NULL AS done, (SELECT count(*)::int FROM rider_active WHERE order_id = $2) AS active
           FROM riders WHERE id = $1`,
        [rider, orderId],
      )
      return (rows[0]?.done ?? false) && rows
    })
    expect(row!.active).toBe(0)
  })

  test('of riders who have the order no more say nothing', async () => {
    const other = await insertRider(mesh)
    await mesh.assignments(merchant).assignRider({ order_id: orderId, rider_id: other })
    await reportPosition(mesh, rider, PICKUP)
    await reportPosition(mesh, other, PICKUP)
    await announced('order.rider_arrived_pickup')
    const intents = await mesh.sql<{ payload: { rider_id: string } }>(
      `SELECT payload FROM intent WHERE subject_id = $1 AND kind = 'progress.arrived_pickup'`,
      [orderId],
    )
    expect(intents.map(({ payload }) => payload.rider_id)).toEqual([other])
  })
})

describe('estimates', () => {
  const eta = () => eventually(async () => (await orderNow()).eta ?? null)

  test('come with the acceptance: both ends, nine in ten later than half', async () => {
    const { pickup_p50_at, pickup_p90_at, dropoff_p50_at, dropoff_p90_at } = await eta()
    const at = (text: string | undefined) => Date.parse(text!)
    // Nobody collects before the time that was agreed.
    expect(at(pickup_p50_at)).toBeGreaterThan(Date.now() + 25 * 60_000)
    expect(at(pickup_p90_at)).toBeGreaterThanOrEqual(at(pickup_p50_at))
    expect(at(dropoff_p50_at)).toBeGreaterThan(at(pickup_p50_at) + 10 * 60_000)
    expect(at(dropoff_p90_at)).toBeGreaterThan(at(dropoff_p50_at))
  })

  test('follow the rider: without the pickup once it is done, nearer as the rider comes nearer, at most every 15 s', async () => {
    await report('picked_up')
    await untilKnown('picked_up')
    await eventually(async () => expect((await orderNow()).eta).toMatchObject({ pickup_p50_at: undefined }))
    const before = Date.parse((await eta()).dropoff_p50_at!)
    await clock.advance(16_000)
    await reportPosition(mesh, rider, north(DROPOFF, -500))
    await eventually(async () => {
      const after = Date.parse((await eta()).dropoff_p50_at!)
      expect(before - after).toBeGreaterThan(5 * 60_000)
    })
    await announced('order.eta_changed')
  })

  test('use what twenty riders of that hour have shown', async () => {
    await mesh.sql(
      `INSERT INTO completed_legs (order_id, leg, vehicle_type, hour_of_week, metres, seconds, completed_at)
       SELECT gen_random_uuid(), 'dropoff', 'truck',
              ((extract(isodow FROM app_now() AT TIME ZONE 'UTC')::int - 1) * 24 + extract(hour FROM app_now() AT TIME ZONE 'UTC')::int),
              1000, 100, app_now() FROM generate_series(1, 20)`,
    )
    await mesh.sql(`UPDATE riders SET vehicle_type = 'truck' WHERE id = $1`, [rider])
    await report('picked_up')
    await untilKnown('picked_up')
    const { dropoff_p50_at } = await eventually(async () => {
      const estimate = await eta()
      return !estimate.pickup_p50_at && estimate
    })
    // From 3 km north of the pickup some 5 km are left as the crow flies, at ten metres a second by road.
    const seconds = (Date.parse(dropoff_p50_at!) - Date.now()) / 1_000 - clock.minutes() * 60
    expect(seconds).toBeGreaterThan(500)
    expect(seconds).toBeLessThan(800)
  })
})

test('the sockets of an order’s tracking page hear of its status', async () => {
  const { redisUrl } = await testServers()
  const redis = new Redis(redisUrl)
  const heard: string[] = []
  redis.on('messageBuffer', (_channel: Buffer, message: Buffer) => {
    const { event } = RealtimeEvent.decode(message)
    if (event?.$case === 'tracking_changed' && event.value.order_id === orderId) heard.push(event.value.status)
  })
  await redis.subscribe(mesh.environment['REDIS_PREFIX'] + REALTIME_CHANNEL)
  await report('picked_up')
  await eventually(() => heard.includes('picked_up'))
  redis.disconnect()
})
