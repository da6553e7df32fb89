import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { RealtimeEvent } from '@svc/contracts/dispatch/v1/realtime'
import { SANDBOX_RIDER } from '@svc/credentials'
import { type Caller, systemCaller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, riderCaller, testServers } from '@svc/testing'
import { Redis } from 'ioredis'
import { refusal } from '../../admin/test/start-admin.ts'
import { REALTIME_CHANNEL } from '../src/peers/realtime.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertCarriedOrder, insertRider } from './riders-fixture.ts'
import { visitor } from './with-phones.ts'

let mesh: DispatchMesh
let subscriber: Redis
const told: RealtimeEvent['event'][] = []
beforeAll(async () => {
  mesh = await dispatchMesh()
  subscriber = new Redis((await testServers()).redisUrl)
  subscriber.on('messageBuffer', (_channel, bytes) => told.push(RealtimeEvent.decode(bytes).event))
  await subscriber.subscribe(mesh.environment['REDIS_PREFIX'] + REALTIME_CHANNEL)
})
afterAll(async () => {
  subscriber.disconnect()
  await mesh.stop()
})

const set = (caller: Caller, rider_id: string, is_online: boolean) =>
  mesh.riders(caller).setRiderOnline({ rider_id, is_online })
const patch = async (id: string, change: object, caller: Caller = adminCaller()) =>
  (await mesh.riders(caller).updateRider({ id, ...change })).rider!
const riderOf = async (id: string) => (await mesh.riders(adminCaller()).getRider({ id })).rider!
const toldOf = (riderId: string) =>
  told.flatMap((event) =>
    event?.$case === 'rider_online_changed' && event.value.rider_id === riderId ? [event.value] : [],
  )
const factsOf = (id: string) =>
  mesh.sql<{ type: string; v: number }>(
    'SELECT type, aggregate_version AS v FROM outbox WHERE aggregate_id = $1 ORDER BY seq',
    [id],
  )

/** An order that the rider carries, known to both services. */
async function carriedOrder(riderId: string) {
  const merchant = merchantCaller({ isTest: false })
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const { order } = await mesh.orders(merchant).createOrder({
    source: 'api',
    external_order_id: randomUUID(),
    raw_payload_json: '{}',
    standardized_json: JSON.stringify({
      pickup_address: '1 Marina Road',
      dropoff_address: '22 Broad Street',
      customer_phone: '+2348031234567',
      scheduled_pickup_at: inHours(1),
      delivery_window_start: inHours(1),
      delivery_window_end: inHours(3),
    }),
  })
  await mesh.fulfilment(systemCaller('dispatch')).commitAssignment({
    order_id: order!.id,
    rider: { id: riderId, name: 'Bola Ade' },
    op_key: randomUUID(),
    expected_assignment_version: order!.assignment_version,
    accept: true,
    actor_type: 'system',
    actor_id: 'dispatch',
  })
  return { id: order!.id, merchant }
}

async function remembers(orderId: string, riderId: string, merchantId: string): Promise<void> {
  await mesh.sql(
    `INSERT INTO dispatch_jobs (order_id, merchant_id, is_test, order_version, status, rider_id, assignment_version,
       pickup_address, dropoff_address, scheduled_pickup_at, delivery_window_end, order_created_at)
     VALUES ($1, $2, false, 1000, 'accepted', $3, 1, 'A', 'B', app_now(), app_now(), app_now())
     ON CONFLICT (order_id) DO UPDATE SET order_version = 1000`,
    [orderId, merchantId, riderId],
  )
  await mesh.sql(
    `INSERT INTO rider_active (order_id, rider_id, merchant_id, since) VALUES ($1, $2, $3, app_now())
     ON CONFLICT DO NOTHING`,
    [orderId, riderId, merchantId],
  )
}

describe('going online', () => {
  test('by the rider or the merchant of its fleet is announced once, to the sockets of the fleet too', async () => {
    const merchant = merchantCaller({ isTest: false })
    const id = await insertRider(mesh, { merchantId: merchant.merchantId, isOnline: false })
    const first = await set(riderCaller(id), id, true)
    expect(first).toMatchObject({ rider_id: id, is_online: true })
    expect(await set(merchant, id, true)).toEqual(first)
    expect(await set(merchant, id, false)).toMatchObject({ is_online: false })
    await eventually(() =>
      expect(toldOf(id)).toMatchObject([
        { merchant_id: merchant.merchantId, is_online: true, reason: 'rider' },
        { merchant_id: merchant.merchantId, is_online: false, reason: 'merchant' },
      ]),
    )
    expect(await factsOf(id)).toEqual([
      { type: 'rider.updated', v: 2 },
      { type: 'rider.updated', v: 3 },
    ])
  })

  test('takes an approved rider', async () => {
    const id = await insertRider(mesh, { isOnline: false, kycStatus: 'pending' })
    await expect(set(riderCaller(id), id, true)).rejects.toEqual(refusal('kyc_not_approved', { kyc_status: 'pending' }))
    expect(await set(riderCaller(id), id, false)).toMatchObject({ is_online: false })
  })

  test("nobody sets another's rider: not another rider, not another merchant, not a freelancer's customer", async () => {
    const id = await insertRider(mesh, { merchantId: randomUUID() })
    const freelancer = await insertRider(mesh)
    for (const caller of [riderCaller(freelancer), merchantCaller()])
      await expect(set(caller, id, false)).rejects.toEqual(refusal('not_found'))
    for (const caller of [visitor(), adminCaller()])
      await expect(set(caller, id, false)).rejects.toEqual(refusal('forbidden'))
    for (const unknown of [freelancer, randomUUID(), 'nonsense'])
      await expect(set(merchantCaller(), unknown, false)).rejects.toEqual(refusal('not_found'))
    expect(await riderOf(id)).toMatchObject({ is_online: true })
  })
})

describe('going offline', () => {
  test('is refused while an order is under way, and the orders themselves are asked', async () => {
    const id = await insertRider(mesh)
    const order = await carriedOrder(id)
    await remembers(order.id, id, order.merchant.merchantId!)
    await expect(set(riderCaller(id), id, false)).rejects.toEqual(
      refusal('active_order', { order_id: order.id, order_ids: [order.id] }),
    )
    await expect(patch(id, { is_online: false })).rejects.toEqual(refusal('active_order'))

    // Dispatch has not heard of the end yet.
    await mesh.orders(order.merchant).cancelOrder({ id: order.id, reason: 'other' })
    await remembers(order.id, id, order.merchant.merchantId!)
    expect(await set(riderCaller(id), id, false)).toMatchObject({ is_online: false })
  })

  test('is refused between the yes to an offer and the answer of the order', async () => {
    const id = await insertRider(mesh)
    const orderId = await insertCarriedOrder(mesh, { merchantId: randomUUID(), riderId: id, status: 'pending' })
    await mesh.sql(
      `INSERT INTO dispatch_offers (id, order_id, rider_id, merchant_id, is_test, kind, state, round, rank, score_m,
         distance_m, load_penalty_m, assignment_version, lease, lease_until, expires_at, created_at)
       SELECT gen_random_uuid(), order_id, $2, merchant_id, is_test, 'auto', 'accepting', 1, 1, 0, 0, 0, 1,
              gen_random_uuid(), app_now() + interval '1 hour', app_now() + interval '1 hour', app_now()
         FROM dispatch_jobs WHERE order_id = $1`,
      [orderId, id],
    )
    await expect(set(riderCaller(id), id, false)).rejects.toEqual(
      refusal('active_order', { order_id: orderId, order_ids: [orderId] }),
    )
    await mesh.sql("UPDATE dispatch_offers SET state = 'withdrawn' WHERE order_id = $1", [orderId])
    // The order does not know the rider.
    expect(await set(riderCaller(id), id, false)).toMatchObject({ is_online: false })
  })

  test('of the shared sandbox rider is answered to each tenant and changes nothing for the others', async () => {
    const [one, other] = [merchantCaller(), merchantCaller()]
    const bound = (merchantId?: string) => riderCaller(SANDBOX_RIDER.id, { isTest: true, merchantId })
    expect(await set(bound(), SANDBOX_RIDER.id, false)).toMatchObject({ is_online: false })
    expect(await set(other, SANDBOX_RIDER.id, false)).toMatchObject({ is_online: false })
    expect(await riderOf(SANDBOX_RIDER.id)).toMatchObject({ is_online: true, version: 1 })
    const live = merchantCaller({ merchantId: one.merchantId, isTest: false })
    await expect(set(live, SANDBOX_RIDER.id, false)).rejects.toEqual(refusal('not_found'))
    await expect(patch(SANDBOX_RIDER.id, { kyc_status: 'rejected' })).rejects.toEqual(refusal('forbidden'))
  })
})

describe('leaving the fleet', () => {
  test('is told to the sockets of a rider who was online', async () => {
    const merchant = merchantCaller({ isTest: false })
    const id = await insertRider(mesh, { merchantId: merchant.merchantId })
    await mesh.fleet(merchant).removeFleetRider({ rider_id: id })
    await eventually(() =>
      expect(toldOf(id)).toMatchObject([{ merchant_id: merchant.merchantId, is_online: false, reason: 'merchant' }]),
    )
  })

  test('is refused while an order is under way, and the orders themselves are asked', async () => {
    const id = await insertRider(mesh)
    const order = await carriedOrder(id)
    await mesh.sql("UPDATE riders SET rider_type = 'merchant_fleet', merchant_id = $2 WHERE id = $1", [
      id,
      order.merchant.merchantId,
    ])
    await remembers(order.id, id, order.merchant.merchantId!)
    const remove = () => mesh.fleet(order.merchant).removeFleetRider({ rider_id: id })
    await expect(remove()).rejects.toEqual(refusal('active_order', { order_id: order.id, order_ids: [order.id] }))
    await mesh.orders(order.merchant).cancelOrder({ id: order.id, reason: 'other' })
    await remove()
  })
})

describe("an operator's word", () => {
  test('approves, rejects and takes offline; it is announced and on the record', async () => {
    const id = await insertRider(mesh, { isOnline: false, kycStatus: 'pending', merchantId: randomUUID() })
    expect(await patch(id, { kyc_status: 'approved', is_online: true })).toMatchObject({
      kyc_status: 'approved',
      is_online: true,
    })
    expect(await patch(id, { kyc_status: 'rejected', is_online: true })).toMatchObject({
      kyc_status: 'rejected',
      is_online: false,
    })
    await expect(patch(id, { is_online: true })).rejects.toEqual(refusal('kyc_not_approved'))
    await eventually(() => expect(toldOf(id)).toMatchObject([{ reason: 'admin' }, { reason: 'kyc', is_online: false }]))
    const audits = await mesh.sql<{ payload: Buffer }>(
      "SELECT payload FROM outbox WHERE type = 'audit.recorded' ORDER BY seq",
    )
    const own = audits.map(({ payload }) => payload.toString()).filter((text) => text.includes(id))
    expect(own).toHaveLength(2)
    expect(own[1]).toContain('"kyc_status":"rejected"')
  })

  test('a rejection does not wait for orders', async () => {
    const id = await insertRider(mesh)
    await insertCarriedOrder(mesh, { merchantId: randomUUID(), riderId: id })
    expect(await patch(id, { kyc_status: 'pending' })).toMatchObject({ is_online: false })
  })

  test('is refused to whoever is none, for unknown riders and unknown states', async () => {
    const id = await insertRider(mesh)
    for (const caller of [merchantCaller(), riderCaller(id), adminCaller({ permissions: ['admin.riders.read'] })])
      await expect(patch(id, { kyc_status: 'rejected' }, caller)).rejects.toEqual(refusal('forbidden'))
    await expect(patch(randomUUID(), { kyc_status: 'rejected' })).rejects.toEqual(refusal('not_found'))
    await expect(patch(id, { kyc_status: 'maybe' })).rejects.toEqual(
      refusal('validation_error', { field: 'kyc_status' }),
    )
  })
})

describe('the list of riders', () => {
  test('filters, sorts and pages', async () => {
    const merchantId = randomUUID()
    const ids: string[] = []
    for (const kycStatus of ['approved', 'pending', 'approved'])
      ids.push(await insertRider(mesh, { merchantId, kycStatus, isOnline: ids.length === 0 }))
    // Far enough apart for any clock.
    for (const [age, id] of ids.entries())
      await mesh.sql('UPDATE riders SET created_at = created_at - make_interval(mins => $2) WHERE id = $1', [
        id,
        3 - age,
      ])
    await mesh.sql('UPDATE riders SET updated_at = created_at WHERE id = ANY($1)', [ids])
    await patch(ids[0]!, { is_online: false })
    const list = async (filter: object) => {
      const page = await mesh.riders(adminCaller()).listRiders({ limit: 50, offset: 0, sort: '', ...filter })
      return { ids: page.items.map(({ id }) => id), total: page.total }
    }
    const [first, second, third] = ids as [string, string, string]
    expect(await list({ merchant_id: merchantId })).toEqual({ ids: [third, second, first], total: 3 })
    expect((await list({ merchant_id: merchantId, sort: 'created_asc' })).ids).toEqual(ids)
    expect((await list({ merchant_id: merchantId, sort: 'updated_desc' })).ids[0]).toBe(first)
    expect((await list({ merchant_id: merchantId, sort: 'updated_asc' })).ids[2]).toBe(first)
    expect(await list({ merchant_id: merchantId, kyc_status: 'pending' })).toEqual({ ids: [second], total: 1 })
    expect(await list({ merchant_id: merchantId, is_online: true })).toEqual({ ids: [], total: 0 })
    expect(await list({ merchant_id: merchantId, limit: 1, offset: 1 })).toEqual({ ids: [second], total: 3 })
    for (const [filter, field] of [
      [{ sort: 'name' }, 'sort'],
      [{ limit: 201 }, 'limit'],
      [{ offset: -1 }, 'offset'],
      [{ merchant_id: 'x' }, 'merchant_id'],
      [{ kyc_status: 'x' }, 'kyc_status'],
    ] as const)
      await expect(list(filter)).rejects.toEqual(refusal('validation_error', { field }))
    await expect(mesh.riders(merchantCaller()).listRiders({ limit: 1, offset: 0, sort: '' })).rejects.toEqual(
      refusal('forbidden'),
    )
  })
})
