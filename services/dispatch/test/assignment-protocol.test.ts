import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { AssignmentServiceService } from '@svc/contracts/dispatch/v1/assignment_service'
import { systemCaller } from '@svc/grpc'
import { freePort } from '@svc/servers'
import { eventually, onceAvailable, riderCaller, testClient } from '@svc/testing'
import {
  createOrder,
  factsOf,
  fleetRider,
  insertMerchant,
  insertRateCard,
  movableClock,
  north,
  offersOf,
  offerTo,
  PICKUP,
  reportPosition,
} from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'

/** Where the process dies next, for whom it is all the same as if it were killed there. */
let dieAt: string | null = null
function failpoint(name: string): void {
  if (name !== dieAt) return
  dieAt = null
  throw new Error(`killed at: ${name}`)
}

let mesh: DispatchMesh
let clock: ReturnType<typeof movableClock>
beforeAll(async () => {
  mesh = await dispatchMesh({ ASSIGN_REQUIRE_ONLINE: 'true' }, { failpoint })
  clock = movableClock(mesh)
  await insertRateCard(mesh)
})
beforeEach(() => {
  dieAt = null
})
afterEach(() => mesh.sql('UPDATE riders SET is_online = false WHERE merchant_id IS NOT NULL'))
afterAll(() => mesh.stop())

const accept = (riderId: string, offerId: string) =>
  mesh.assignments(riderCaller(riderId)).acceptDispatchOffer({ offer_id: offerId })
const activeOf = async (orderId: string) =>
  (await mesh.sql<{ rider_id: string }>('SELECT rider_id FROM rider_active WHERE order_id = $1', [orderId])).map(
    ({ rider_id }) => rider_id,
  )

test('of fifty riders who say yes at once one gets the order, and it is announced once', async () => {
  const merchant = await insertMerchant(mesh, { mode: 'broadcast' })
  const riders = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const riderId = await insertRider(mesh, { merchantId: merchant.merchantId! })
      await reportPosition(mesh, riderId, PICKUP)
      return riderId
    }),
  )
  const orderId = await createOrder(mesh, merchant)
  const offers = await Promise.all(riders.map((riderId) => offerTo(mesh, riderId)))
  const answers = await Promise.allSettled(
    riders.map((riderId, index) => onceAvailable(() => accept(riderId, offers[index]!.id))),
  )
  const won = answers.flatMap((answer, index) => (answer.status === 'fulfilled' ? [riders[index]!] : []))
  const lost = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(won).toHaveLength(1)
  expect(lost).toHaveLength(49)
  for (const reason of lost) {
    expect(reason).toMatchObject({ code: 'offer_unavailable', details: { status: 'withdrawn' } })
  }
  expect(await activeOf(orderId)).toEqual(won)
  expect((await factsOf(mesh, orderId)).filter((type) => type === 'order.rider_assigned')).toHaveLength(1)
  expect((await offersOf(mesh, orderId)).filter(({ state }) => state !== 'withdrawn')).toEqual([
    expect.objectContaining({ rider_id: won[0], state: 'accepted' }),
  ])
})

describe.each(['assignment begun', 'assignment committed', 'assignment finished'])('killed at: %s', (point) => {
  test('an acceptance is finished by others, once, and a repeat of the rider answers as if nothing had been', async () => {
    const merchant = await insertMerchant(mesh)
    const rider = await fleetRider(mesh, merchant, 100)
    const orderId = await createOrder(mesh, merchant)
    const offer = await offerTo(mesh, rider)
    dieAt = point
    await expect(accept(rider, offer.id)).rejects.toMatchObject({ code: 'internal_error' })
    await clock.advance(16_000)
    await eventually(async () => expect(await offersOf(mesh, orderId)).toMatchObject([{ state: 'accepted' }]))
    // Estimates come when they come.
    const facts = (await factsOf(mesh, orderId)).filter((type) => type !== 'order.eta_changed')
    expect(facts).toEqual(['order.created', 'order.rider_assigned', 'order.accepted'])
    expect(await accept(rider, offer.id)).toMatchObject({
      offer: { status: 'accepted' },
      order: { rider: { id: rider } },
    })
    expect(await activeOf(orderId)).toEqual([rider])
  })

  test('the rider’s own repeat finishes it at once', async () => {
    const merchant = await insertMerchant(mesh)
    const rider = await fleetRider(mesh, merchant, 100)
    const orderId = await createOrder(mesh, merchant)
    const offer = await offerTo(mesh, rider)
    dieAt = point
    await expect(accept(rider, offer.id)).rejects.toThrow()
    expect(await accept(rider, offer.id)).toMatchObject({ offer: { status: 'accepted' } })
    expect((await factsOf(mesh, orderId)).filter((type) => type === 'order.rider_assigned')).toHaveLength(1)
  })

  test('an assignment by hand is finished by others, and its repeat changes nothing', async () => {
    const merchant = await insertMerchant(mesh, { autoDispatch: false })
    const [first, second] = [await insertRider(mesh), await insertRider(mesh)]
    const orderId = await createOrder(mesh, merchant)
    const assign = (rider_id?: string) => mesh.assignments(merchant).assignRider({ order_id: orderId, rider_id })
    await assign(first)
    dieAt = point
    await expect(assign(second)).rejects.toThrow()
    await clock.advance(16_000)
    await eventually(async () => expect(await activeOf(orderId)).toEqual([second]))
    expect((await assign(second)).previous_rider_id).toBeUndefined()
    dieAt = point
    await expect(assign()).rejects.toThrow()
    await clock.advance(16_000)
    await eventually(async () => expect(await activeOf(orderId)).toEqual([]))
    expect((await factsOf(mesh, orderId)).filter((type) => type === 'order.rider_assigned')).toHaveLength(3)
    await eventually(async () =>
      expect(await offersOf(mesh, orderId)).not.toContainEqual(expect.objectContaining({ state: 'accepting' })),
    )
  })
})

test('an acceptance that died before the order heard of it leaves no ghost when the order was cancelled meanwhile', async () => {
  const merchant = await insertMerchant(mesh)
  const rider = await fleetRider(mesh, merchant, 100)
  const orderId = await createOrder(mesh, merchant)
  const offer = await offerTo(mesh, rider)
  dieAt = 'assignment begun'
  await expect(accept(rider, offer.id)).rejects.toThrow()
  await mesh.orders(merchant).cancelOrder({ id: orderId, reason: 'duplicate_order' })
  await expect(accept(rider, offer.id)).rejects.toMatchObject({
    code: 'offer_unavailable',
    details: { status: 'withdrawn' },
  })
  expect(await activeOf(orderId)).toEqual([])
  expect(await factsOf(mesh, orderId)).not.toContain('order.rider_assigned')
})

test('one that nobody repeats is ended by the worker, however long its lease has been over', async () => {
  const merchant = await insertMerchant(mesh)
  const rider = await fleetRider(mesh, merchant, 100)
  const orderId = await createOrder(mesh, merchant)
  const offer = await offerTo(mesh, rider)
  dieAt = 'assignment begun'
  await expect(accept(rider, offer.id)).rejects.toThrow()
  await mesh.orders(merchant).cancelOrder({ id: orderId, reason: 'duplicate_order' })
  await clock.advance(60_000)
  await eventually(async () => expect(await offersOf(mesh, orderId)).toMatchObject([{ state: 'withdrawn' }]))
  expect(await activeOf(orderId)).toEqual([])
})

test('an assignment by hand waits for the acceptance that is under way, and both are in the record', async () => {
  const merchant = await insertMerchant(mesh)
  const rider = await fleetRider(mesh, merchant, 100)
  const other = await insertRider(mesh)
  const orderId = await createOrder(mesh, merchant)
  const offer = await offerTo(mesh, rider)
  dieAt = 'assignment begun'
  await expect(accept(rider, offer.id)).rejects.toThrow()
  expect(await mesh.assignments(merchant).assignRider({ order_id: orderId, rider_id: other })).toMatchObject({
    previous_rider_id: rider,
    order: { status: 'accepted', rider: { id: other } },
  })
  expect(await activeOf(orderId)).toEqual([other])
  await expect(accept(rider, offer.id)).rejects.toMatchObject({ code: 'offer_unavailable' })
})

test('a yes to what was meanwhile given to another, of which dispatch has not heard, loses against the fence', async () => {
  const merchant = await insertMerchant(mesh)
  const rider = await fleetRider(mesh, merchant, 100)
  const orderId = await createOrder(mesh, merchant)
  const offer = await offerTo(mesh, rider)
  dieAt = 'assignment begun'
  await expect(accept(rider, offer.id)).rejects.toThrow()
  const other = await insertRider(mesh)
  await mesh.fulfilment(systemCaller('dispatch')).commitAssignment({
    order_id: orderId,
    rider: { id: other },
    op_key: randomUUID(),
    expected_assignment_version: 0,
    accept: true,
    actor_type: 'system',
    actor_id: 'test',
  })
  await expect(accept(rider, offer.id)).rejects.toMatchObject({ code: 'offer_unavailable' })
  const { order } = await mesh.orders(merchant).getOrder({ id: orderId })
  expect(order!.rider!.id).toBe(other)
  await eventually(async () => expect(await activeOf(orderId)).toEqual([other]))
})

test('going offline and saying yes at the same time: one of both happens, never both', async () => {
  for (let n = 0; n < 5; n++) {
    const merchant = await insertMerchant(mesh)
    const rider = await fleetRider(mesh, merchant, 100)
    const orderId = await createOrder(mesh, merchant)
    const offer = await offerTo(mesh, rider)
    const [yes, offline] = await Promise.allSettled([
      accept(rider, offer.id),
      mesh.riders(riderCaller(rider)).setRiderOnline({ rider_id: rider, is_online: false }),
    ])
    const refusals = [yes, offline].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []))
    expect(refusals).toEqual([yes.status === 'rejected' ? 'rider_unavailable' : 'active_order'])
    expect(await activeOf(orderId)).toEqual(yes.status === 'fulfilled' ? [rider] : [])
  }
})

test('another replica goes on where one was stopped', async () => {
  const merchant = await insertMerchant(mesh)
  const rider = await fleetRider(mesh, merchant, 100)
  const grpcPort = await freePort()
  const replica = await mesh.start({ GRPC_PORT: String(grpcPort), INSTANCE: 'dispatch-2' })
  const client = testClient(AssignmentServiceService, { address: replica.address(), to: 'dispatch' })
  const orderId = await createOrder(mesh, merchant)
  const offer = await offerTo(mesh, rider)
  await replica.stop()
  await expect(client.as(riderCaller(rider)).acceptDispatchOffer({ offer_id: offer.id })).rejects.toMatchObject({
    code: 'service_unavailable',
  })
  client.close()
  await clock.advance(31_000)
  await reportPosition(mesh, await fleetRider(mesh, merchant, 200), north(PICKUP, 200))
  await eventually(async () =>
    expect(await offersOf(mesh, orderId)).toMatchObject([{ state: 'expired' }, { state: 'pending' }]),
  )
})
