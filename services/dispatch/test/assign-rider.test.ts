import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, riderCaller } from '@svc/testing'
import {
  createOrder,
  factOf,
  factsOf,
  fleetRider,
  insertMerchant,
  insertRateCard,
  offersOf,
  offerTo,
  PICKUP,
  reportPosition,
} from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'

let mesh: DispatchMesh
beforeAll(async () => {
  mesh = await dispatchMesh({ ASSIGN_REQUIRE_ONLINE: 'true' })
  await insertRateCard(mesh)
})
afterAll(() => mesh.stop())

const byHand = () => insertMerchant(mesh, { autoDispatch: false })
const assign = (caller: Caller, order_id: string, rider_id?: string, merchant_id?: string) =>
  mesh.assignments(caller).assignRider({ order_id, rider_id, merchant_id })
const activeOf = async (orderId: string) =>
  (await mesh.sql<{ rider_id: string }>('SELECT rider_id FROM rider_active WHERE order_id = $1', [orderId])).map(
    ({ rider_id }) => rider_id,
  )

describe('by a merchant', () => {
  test('gives the order, keeps its status, and the same rider again changes nothing', async () => {
    const merchant = await byHand()
    const rider = await insertRider(mesh, { merchantId: merchant.merchantId! })
    const orderId = await createOrder(mesh, merchant)
    const { order, previous_rider_id } = await assign(merchant, orderId, rider)
    expect(order).toMatchObject({
      status: 'pending',
      rider: { id: rider, name: 'Bola Ade', phone: expect.stringMatching(/^\+234/), vehicle_type: 'motorcycle' },
    })
    expect(previous_rider_id).toBeUndefined()
    expect((await assign(merchant, orderId, rider)).order).toEqual(order)
    expect(await factsOf(mesh, orderId)).toEqual(['order.created', 'order.rider_assigned'])
    expect(await activeOf(orderId)).toEqual([rider])
  })

  test('passes it on, and takes it back from a rider who had accepted it', async () => {
    const merchant = await byHand()
    const [first, second] = [await insertRider(mesh), await insertRider(mesh)]
    const orderId = await createOrder(mesh, merchant)
    await assign(merchant, orderId, first)
    expect(await assign(merchant, orderId, second)).toMatchObject({ previous_rider_id: first })
    expect(await activeOf(orderId)).toEqual([second])
    await mesh.orders(merchant).updateOrder({ id: orderId, status: 'accepted' })
    const taken = await assign(merchant, orderId)
    expect(taken).toMatchObject({ previous_rider_id: second, order: { status: 'pending', rider: undefined } })
    expect(await activeOf(orderId)).toEqual([])
    expect(await factOf(mesh, orderId, 'order.rider_assigned')).toMatchObject({ previous_rider_id: second })
    const again = await assign(merchant, orderId)
    expect(again).toEqual({ order: taken.order, previous_rider_id: undefined })
  })

  test('takes back the offers that riders have of it', async () => {
    const merchant = await insertMerchant(mesh)
    const asked = await fleetRider(mesh, merchant, 100)
    const other = await insertRider(mesh)
    const orderId = await createOrder(mesh, merchant)
    const offer = await offerTo(mesh, asked)
    await assign(merchant, orderId, other)
    await expect(
      mesh.assignments(riderCaller(asked)).acceptDispatchOffer({ offer_id: offer.id }),
    ).rejects.toMatchObject({ code: 'offer_unavailable', details: { status: 'withdrawn' } })
    expect(await offersOf(mesh, orderId)).toEqual(
      expect.arrayContaining([expect.objectContaining({ rider_id: asked, state: 'withdrawn' })]),
    )
  })

  test.each<[string, string, () => Promise<string>]>([
    ['nobody knows', 'rider_not_found', async () => randomUUID()],
    ['is of another fleet', 'rider_not_found', () => insertRider(mesh, { merchantId: randomUUID() })],
    ['is the sandbox’s', 'rider_not_found', async () => SANDBOX_RIDER.id],
    ['is not approved', 'kyc_not_approved', () => insertRider(mesh, { kycStatus: 'pending', isOnline: false })],
    ['is offline', 'rider_unavailable', () => insertRider(mesh, { isOnline: false })],
  ])('a rider who %s gets nothing: %s', async (_who, code, rider) => {
    const merchant = await byHand()
    const orderId = await createOrder(mesh, merchant)
    const riderId = await rider()
    await expect(assign(merchant, orderId, riderId)).rejects.toMatchObject({ code })
    await expect(mesh.assignments(merchant).checkAssignable({ rider_id: riderId })).rejects.toMatchObject({ code })
    expect(await factsOf(mesh, orderId)).toEqual(['order.created'])
  })

  test('a rider has no more orders under way than allowed', async () => {
    const merchant = await byHand()
    const rider = await insertRider(mesh)
    for (let n = 0; n < 5; n++) await assign(merchant, await createOrder(mesh, merchant), rider)
    const one = await createOrder(mesh, merchant)
    await expect(assign(merchant, one, rider)).rejects.toMatchObject({
      code: 'rider_unavailable',
      details: { reason: 'at_capacity' },
    })
  })

  test('what has ended, what is unknown and what is foreign is given to nobody', async () => {
    const merchant = await byHand()
    const rider = await insertRider(mesh)
    const orderId = await createOrder(mesh, merchant)
    const stranger = merchantCaller({ isTest: false })
    await expect(assign(stranger, orderId, rider)).rejects.toMatchObject({ code: 'not_found' })
    await expect(assign(merchant, randomUUID(), rider)).rejects.toMatchObject({ code: 'not_found' })
    await expect(assign({ ...merchant, scopes: ['orders:read'] }, orderId, rider)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(assign(merchant, orderId, 'nobody')).rejects.toMatchObject({ code: 'validation_error' })
    await mesh.orders(merchant).cancelOrder({ id: orderId, reason: 'duplicate_order' })
    await expect(assign(merchant, orderId, rider)).rejects.toMatchObject({ code: 'order_terminal' })
  })

  test('a test order takes the sandbox rider alone', async () => {
    const merchant = { ...(await byHand()), isTest: true }
    const orderId = await createOrder(mesh, merchant)
    const rider = await insertRider(mesh)
    await expect(assign(merchant, orderId, rider)).rejects.toMatchObject({ code: 'test_rider_required' })
    expect(await assign(merchant, orderId, SANDBOX_RIDER.id)).toMatchObject({
      order: { rider: { id: SANDBOX_RIDER.id, name: SANDBOX_RIDER.name } },
    })
  })
})

describe('a freelancer who was not asked', () => {
  const taken = { code: 'rider_unavailable', details: { reason: 'at_capacity' } }
  const ASSIGNED = 5

  /** A freelancer to whom one merchant has given as many orders as a rider may have. */
  async function seized() {
    const merchant = await byHand()
    const rider = await insertRider(mesh)
    const orders: string[] = []
    for (let n = 0; n < ASSIGNED; n++) orders.push(await createOrder(mesh, merchant))
    for (const order of orders) await assign(merchant, order, rider)
    return { merchant, rider, orders, mine: mesh.fulfilment(riderCaller(rider)) }
  }
  const setOffline = (rider: string) =>
    mesh.riders(riderCaller(rider)).setRiderOnline({ rider_id: rider, is_online: false })

  test('keeps the whole capacity for every other merchant, whatever status the one sets', async () => {
    const { merchant, rider, orders } = await seized()
    await expect(assign(merchant, await createOrder(mesh, merchant), rider)).rejects.toMatchObject(taken)
    for (const [n, status] of ['accepted', 'picked_up', 'in_transit'].entries())
      await mesh.orders(merchant).updateOrder({ id: orders[n]!, status })
    const other = await byHand()
    await mesh.assignments(other).checkAssignable({ rider_id: rider })
    for (let n = 0; n < ASSIGNED; n++) await assign(other, await createOrder(mesh, other), rider)
    await expect(assign(other, await createOrder(mesh, other), rider)).rejects.toMatchObject(taken)
  })

  test('gives it to an order by a yes or by collecting it', async () => {
    const { rider, orders, mine } = await seized()
    for (const order_id of orders) await mine.updateRiderOrderStatus({ order_id, status: 'accepted' })
    const other = await byHand()
    const order = await createOrder(mesh, other)
    await eventually(async () => {
      const rows = await mesh.sql('SELECT FROM rider_active WHERE rider_id = $1 AND acted', [rider])
      return rows.length === ASSIGNED
    })
    await expect(assign(other, order, rider)).rejects.toMatchObject(taken)
    await expect(mesh.assignments(other).checkAssignable({ rider_id: rider })).rejects.toMatchObject(taken)
  })

  test('is asked by the search of other merchants, and counts for its distance as any load does', async () => {
    const { rider } = await seized()
    const other = await insertMerchant(mesh)
    const place = { lat: 7.4, lng: 4.4 }
    await reportPosition(mesh, rider, place)
    const order = await createOrder(mesh, other, { pickup_lat: place.lat, pickup_lng: place.lng })
    const offer = await offerTo(mesh, rider)
    expect(offer).toMatchObject({ order_id: order, score_parts: { load_penalty_m: 500 * ASSIGNED } })
  })

  test('goes offline after giving back what the refusal names', async () => {
    const { rider, orders, mine } = await seized()
    const refusal = await setOffline(rider).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'active_order', details: { order_id: expect.any(String) } })
    const { order_ids } = (refusal as { details: { order_ids: string[] } }).details
    expect(order_ids.toSorted()).toEqual(orders.toSorted())
    for (const order_id of order_ids) await mine.declineRiderOrder({ order_id })
    expect(await setOffline(rider)).toMatchObject({ is_online: false })
    await eventually(async () => (await activeOf(orders[0]!)).length === 0)
  })

  test('has said yes from the moment of accepting an offer', async () => {
    const merchant = await insertMerchant(mesh)
    const rider = await insertRider(mesh)
    const place = { lat: 8.4, lng: 5.4 }
    await reportPosition(mesh, rider, place)
    const order_id = await createOrder(mesh, merchant, { pickup_lat: place.lat, pickup_lng: place.lng })
    const offer = await offerTo(mesh, rider)
    await mesh.assignments(riderCaller(rider)).acceptDispatchOffer({ offer_id: offer.id })
    expect(await mesh.sql('SELECT acted FROM rider_active WHERE order_id = $1', [order_id])).toEqual([{ acted: true }])
    await expect(mesh.fulfilment(riderCaller(rider)).declineRiderOrder({ order_id })).rejects.toMatchObject({
      code: 'invalid_transition',
    })
  })
})

test('many who reassign an order at once take turns: what cannot be done is a conflict, never an outage', async () => {
  const merchant = await byHand()
  const riders = await Promise.all(Array.from({ length: 15 }, () => insertRider(mesh)))
  const orderId = await createOrder(mesh, merchant)
  const answers = await Promise.allSettled(riders.map((rider) => assign(merchant, orderId, rider)))
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []))
  expect(refusals.filter((code) => code !== 'invalid_state')).toEqual([])
  const given = (await factsOf(mesh, orderId)).filter((type) => type === 'order.rider_assigned')
  expect(given).toHaveLength(riders.length - refusals.length)
  const { order } = await mesh.orders(merchant).getOrder({ id: orderId })
  expect(await activeOf(orderId)).toEqual([order!.rider!.id])
})

describe('by an operator', () => {
  test('is written down once, with who did it and what it changed', async () => {
    const merchant = await byHand()
    const rider = await insertRider(mesh)
    const orderId = await createOrder(mesh, merchant)
    const admin = adminCaller()
    await assign(admin, orderId, rider, merchant.merchantId)
    await assign(admin, orderId, rider, merchant.merchantId)
    const audits = await eventually(async () => {
      const rows = await mesh.admin.worker.query(
        'SELECT actor_id, action, before_json, after_json FROM audit_log WHERE resource_id = $1',
        [orderId],
      )
      return rows.rowCount! > 0 && rows.rows
    })
    expect(audits).toEqual([expect.objectContaining({ actor_id: admin.actor.id, action: 'order.admin_assign' })])
  })

  test('needs the permission, and the merchant whose order it is', async () => {
    const merchant = await byHand()
    const rider = await insertRider(mesh)
    const orderId = await createOrder(mesh, merchant)
    await expect(assign(adminCaller(), orderId, rider, randomUUID())).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      assign(adminCaller({ permissions: ['admin.orders.read'] }), orderId, rider, merchant.merchantId),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('candidates', () => {
  const candidates = async (caller: Caller, order_id: string, limit = 20, metres = 5_000) =>
    (await mesh.assignments(caller).listDispatchCandidates({ order_id, point: PICKUP, metres, limit })).candidates

  test('are those of the merchant and freelancers by distance and load, never those of others', async () => {
    const merchant = await byHand()
    const [near, far] = [await fleetRider(mesh, merchant, 100), await fleetRider(mesh, merchant, 400)]
    const foreign = await insertRider(mesh, { merchantId: randomUUID() })
    await reportPosition(mesh, foreign, PICKUP)
    await reportPosition(mesh, SANDBOX_RIDER.id, PICKUP).catch(() => undefined)
    await assign(merchant, await createOrder(mesh, merchant), near)
    const orderId = await createOrder(mesh, merchant)
    const found = await candidates(merchant, orderId)
    const ours = found.filter(({ rider_id }) => [near, far, foreign, SANDBOX_RIDER.id].includes(rider_id))
    expect(ours.map(({ rider_id, active_orders }) => [rider_id, active_orders])).toEqual([
      [far, 0],
      [near, 1],
    ])
    expect(ours[1]!.score_m).toBeCloseTo(ours[1]!.distance_m + 500, 3)
    expect(ours[0]).toMatchObject({ is_online: true, name: 'Bola Ade', vehicle_type: 'motorcycle' })
    expect((await candidates(merchant, orderId, 1)).map(({ rider_id }) => rider_id)).toEqual([found[0]!.rider_id])
  })

  test('a short list is the best of all within reach, not of the nearest', async () => {
    const merchant = await byHand()
    const busy = [await fleetRider(mesh, merchant, 10), await fleetRider(mesh, merchant, 20)]
    for (const rider of busy) await assign(merchant, await createOrder(mesh, merchant), rider)
    const idle = await fleetRider(mesh, merchant, 50)
    const orderId = await createOrder(mesh, merchant)
    const own = async (limit: number) => {
      const found = await candidates(merchant, orderId, limit, 100_000)
      return found.map(({ rider_id }) => rider_id)
    }
    expect((await own(1))[0]).toBe(idle)
    await mesh.sql(`DELETE FROM rider_positions WHERE rider_id = $1`, [idle])
  })

  test('that are strangers are told by first name and about where, in the order of what is true', async () => {
    const merchant = await byHand()
    const place = { lat: 9.4, lng: 6.4 }
    const riders = [await insertRider(mesh), await insertRider(mesh)]
    await reportPosition(mesh, riders[0]!, { ...place, lat: 9.4001 })
    await reportPosition(mesh, riders[1]!, { ...place, lat: 9.4013 })
    const order_id = await createOrder(mesh, merchant)
    const list = async (caller: Caller) => {
      const asked = { order_id, point: place, metres: 5_000, limit: 20 }
      return (await mesh.assignments(caller).listDispatchCandidates(asked)).candidates
    }
    const seen = await list(merchant)
    expect(seen.map(({ rider_id }) => rider_id)).toEqual(riders)
    for (const { name, phone, distance_m, score_m } of seen)
      expect([name, phone, distance_m % 500, score_m]).toEqual(['Bola', '', 0, distance_m])
    expect((await list(adminCaller()))[0]).toMatchObject({ name: 'Bola Ade', lat: 9.4001 })
    await assign(merchant, order_id, riders[1])
    expect((await list(merchant))[1]).toMatchObject({ name: 'Bola Ade', lat: 9.4013, score_m: expect.any(Number) })
    const unverified = { billingStatus: 'active', kybStatus: 'submitted', businessApprovalStatus: 'approved' }
    expect(await list({ ...merchant, standing: unverified })).toEqual([])
  })

  test('of an order that nobody knows are not found', async () => {
    await expect(candidates(await byHand(), randomUUID())).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('an order names its rider at creation and has it', async () => {
  const merchant = await byHand()
  const rider = await insertRider(mesh)
  const orderId = await createOrder(mesh, merchant, { rider_id: rider })
  const { order } = await mesh.orders(merchant).getOrder({ id: orderId })
  expect(order!.rider).toMatchObject({ id: rider })
})
