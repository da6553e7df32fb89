import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SimulatorServiceService } from '@svc/contracts/order/v1/simulator_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually, TEST_SECRET, testClient } from '@svc/testing'
import { type DispatchMesh, dispatchMesh } from '../../dispatch/test/dispatch-mesh.ts'
import { insertRider } from '../../dispatch/test/riders-fixture.ts'
import { box, polygon, zone } from '../../dispatch/test/shapes.ts'
import { signUp } from '../../dispatch/test/sign-up.ts'
import { clientsOf, creation, keyed, type OrderMesh, orderMesh, standardized } from './order-mesh.ts'

const operator = adminCaller()
const inside = { pickup_lat: 6.45, pickup_lng: 3.4, dropoff_lat: 6.5, dropoff_lng: 3.45 }
const outside = { ...inside, dropoff_lat: 9, dropoff_lng: 7.5 }

let mesh: DispatchMesh
let merchant: { id: string; caller: Caller }
beforeAll(async () => {
  mesh = await dispatchMesh()
  await mesh.pricing(operator).createRateCard({
    rate_card: { name: 'Platform', currency: 'NGN', base_minor: 50_000, per_km_minor: 10_000 },
  })
  merchant = await signUp(mesh)
  await mesh.places(operator).replaceDispatchZones({
    merchant_id: merchant.id,
    zones: [zone('Lagos', polygon(box(3, 6, 4, 7)))],
  })
})
afterAll(() => mesh.stop())

const create = (request = creation({}, inside), caller = merchant.caller) => mesh.orders(caller).createOrder(request)
const stored = (externalOrderId: string) =>
  mesh.orderSql<{ fee_minor: string; rate_card_id: string; rate_card_version: number }>(
    'SELECT fee_minor, rate_card_id, rate_card_version FROM orders WHERE external_order_id = $1',
    [externalOrderId],
  )

describe('the price of an order', () => {
  test('is fixed when it is created, with the rate card it came from, and told by every read', async () => {
    const request = creation({}, inside)
    const { order } = await create(request)
    expect(order).toMatchObject({ currency: 'NGN', fee_minor: expect.any(Number) })
    expect(order?.fee_minor).toBeGreaterThan(50_000)
    expect(order?.quote_id).toBeUndefined()
    const [row] = await stored(request.external_order_id)
    expect(row).toMatchObject({ fee_minor: String(order?.fee_minor), rate_card_version: 1 })
    expect((await mesh.orders(merchant.caller).getOrder({ id: order?.id ?? '' })).order).toEqual(order)
  })

  test('is what a quote pinned, whatever the rate card says later', async () => {
    const points = { pickup: { lat: 6.45, lng: 3.4 }, dropoff: { lat: 6.5, lng: 3.45 } }
    const parcel = { vehicle_type: 'motorcycle', is_fragile: false }
    const quote = await mesh.pricing(merchant.caller).createQuote({ fulfillment_mode: 'freelancer', ...points, parcel })
    const card = quote.fare?.rate_card_id ?? ''
    await mesh.pricing(operator).updateRateCard({ id: card, rate_card: { base_minor: 90_000 }, clear_fields: [] })
    const record = { ...inside, vehicle_type_hint: 'motorcycle' }
    const { order } = await create(creation({ quote_id: quote.quote_id }, record))
    expect(order).toMatchObject({ fee_minor: quote.fare?.fee_minor, quote_id: quote.quote_id })
    expect((await create(creation({}, record))).order?.fee_minor).toBeGreaterThan(quote.fare?.fee_minor ?? 0)

    const elsewhere = creation({ quote_id: quote.quote_id }, { ...record, dropoff_lat: 6.6 })
    await expect(create(elsewhere)).rejects.toMatchObject({ code: 'quote_mismatch' })
    await mesh.database.shiftClock(24 * 3_600_000)
    try {
      await expect(create(creation({ quote_id: quote.quote_id }, record))).rejects.toMatchObject({
        code: 'quote_expired',
      })
    } finally {
      await mesh.database.shiftClock(0)
    }
    expect(await stored(elsewhere.external_order_id)).toEqual([])
  })

  test('of a quote that nobody made, or another merchant did, is refused', async () => {
    await expect(create(creation({ quote_id: randomUUID() }, inside))).rejects.toMatchObject({ code: 'quote_mismatch' })
    await expect(create(creation({ quote_id: 'mine' }, inside))).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'quote_id' },
    })
  })

  test('is absent without points, and nothing is judged then', async () => {
    const { order } = await create(creation())
    expect([order?.fee_minor, order?.currency]).toEqual([undefined, undefined])
  })
})

describe('coverage', () => {
  const refusal = {
    code: 'OUT_OF_COVERAGE_AREA',
    details: { point: 'dropoff', lat: 9, lng: 7.5, reason: 'outside_zones' },
  }

  test('refuses an order that leaves the zones, of test credentials too, and stores nothing', async () => {
    for (const isTest of [true, false]) {
      const request = creation({}, outside)
      await expect(create(request, { ...merchant.caller, isTest })).rejects.toMatchObject(refusal)
      expect(await stored(request.external_order_id)).toEqual([])
    }
  })

  test('judges the one point that is stated', async () => {
    const { dropoff_lat, dropoff_lng } = outside
    await expect(create(creation({}, { dropoff_lat, dropoff_lng }))).rejects.toMatchObject(refusal)
    expect((await create(creation({}, { dropoff_lat: 6.5, dropoff_lng: 3.45 }))).order?.fee_minor).toBeUndefined()
  })

  test('binds simulated orders too', async () => {
    const simulator = testClient(SimulatorServiceService, {
      address: mesh.environment.ORDER_GRPC_ADDRESS ?? '',
      to: 'order',
    })
    try {
      const simulate = (record: object) =>
        simulator.as({ ...merchant.caller, isTest: true }).createSimulatorOrder({
          order: { external_order_id: randomUUID(), standardized_json: JSON.stringify(standardized({ ...record })) },
          emit_webhooks: true,
        })
      await expect(simulate(outside)).rejects.toMatchObject(refusal)
      expect((await simulate(inside)).order?.fee_minor).toBeGreaterThan(0)
    } finally {
      simulator.close()
    }
  })

  test('does not unmake what was stored: a repeat is answered first, by its key and by its id', async () => {
    const request = creation({}, inside)
    const withKey = keyed(randomUUID(), creation({}, inside))
    const [first, second] = [await create(request), await create(withKey)]
    await mesh.places(operator).replaceDispatchZones({
      merchant_id: merchant.id,
      zones: [zone('Elsewhere', polygon(box(7, 8, 8, 10)))],
    })
    try {
      await expect(create()).rejects.toMatchObject({ code: 'OUT_OF_COVERAGE_AREA' })
      expect(await create(request)).toMatchObject({ idempotent: true, order: { id: first.order?.id } })
      expect(await create(withKey)).toEqual({ ...second, replayed: true })
    } finally {
      await mesh.places(operator).replaceDispatchZones({
        merchant_id: merchant.id,
        zones: [zone('Lagos', polygon(box(3, 6, 4, 7)))],
      })
    }
  })
})

describe('a rider named at creation', () => {
  const facts = (id: string | undefined) =>
    mesh.orderSql<{ type: string }>('SELECT type FROM outbox WHERE aggregate_id = $1 ORDER BY seq', [id])

  test('has the order when the reply comes, as by an assignment right after the creation', async () => {
    const caller = { ...merchant.caller, isTest: false }
    const riderId = await insertRider(mesh)
    const request = keyed(randomUUID(), creation({}, { ...inside, rider_id: riderId }))
    const reply = await create(request, caller)
    expect(reply.order).toMatchObject({ status: 'pending', rider: { id: riderId, name: 'Bola Ade' } })
    expect((await facts(reply.order?.id)).map(({ type }) => type)).toEqual(['order.created', 'order.rider_assigned'])
    expect(await create(request, caller)).toEqual({ ...reply, replayed: true })
    expect(await create({ ...request, idempotency: undefined }, caller)).toMatchObject({ idempotent: true })
  })

  test('who cannot be assigned is refused, naming the field, and nothing is stored', async () => {
    const unapproved = await insertRider(mesh, { kycStatus: 'pending' })
    for (const [riderId, isTest] of [
      [randomUUID(), false],
      [unapproved, false],
      [SANDBOX_RIDER.id, false],
      [await insertRider(mesh), true],
    ] as const) {
      const request = creation({}, { ...inside, rider_id: riderId })
      await expect(create(request, { ...merchant.caller, isTest })).rejects.toMatchObject({
        code: 'validation_error',
        details: { field: 'standardized.rider_id' },
      })
      expect(await stored(request.external_order_id)).toEqual([])
    }
  })

  test('of a test order is the sandbox rider', async () => {
    const reply = await create(creation({}, { ...inside, rider_id: SANDBOX_RIDER.id }), {
      ...merchant.caller,
      isTest: true,
    })
    expect(reply.order?.rider).toMatchObject({ id: SANDBOX_RIDER.id, name: SANDBOX_RIDER.name })
  })

  test('changed in a repeat is named as what differs', async () => {
    const caller = { ...merchant.caller, isTest: false }
    const [one, other] = [await insertRider(mesh), await insertRider(mesh)]
    const request = creation({}, { ...inside, rider_id: one })
    await create(request, caller)
    const record = { ...JSON.parse(request.standardized_json), rider_id: other }
    await expect(create({ ...request, standardized_json: JSON.stringify(record) }, caller)).rejects.toMatchObject({
      code: 'duplicate_order',
      details: { changed_fields: ['standardized.rider_id'] },
    })
  })

  test('is given the order later when whoever created it died in between', async () => {
    const caller = { ...merchant.caller, isTest: false }
    const riderId = await insertRider(mesh)
    const { order } = await create(creation({}, inside), caller)
    await mesh.orderSql(
      `INSERT INTO intent (id, merchant_id, kind, subject_id, attempt, payload, state)
       VALUES (gen_random_uuid(), $1, 'assign', $2, 1, $3, 'pending')`,
      [merchant.id, order?.id, JSON.stringify({ riderId, isTest: false, actor: caller.actor })],
    )
    await eventually(async () => {
      const [intent] = await mesh.orderSql<{ state: string }>('SELECT state FROM intent WHERE subject_id = $1', [
        order?.id,
      ])
      return intent?.state === 'applied'
    })
    expect((await mesh.orders(caller).getOrder({ id: order?.id ?? '' })).order?.rider?.id).toBe(riderId)
  })
})

test('a rider named at creation never takes the order from one who was chosen since', async () => {
  const caller = { ...merchant.caller, isTest: false }
  const [named, chosen] = [await insertRider(mesh), await insertRider(mesh)]
  const { order } = await create(creation({}, inside), caller)
  const orderId = order?.id ?? ''
  await mesh.assignments(caller).assignRider({ order_id: orderId, rider_id: chosen })
  await mesh.orderSql(
    `INSERT INTO intent (id, merchant_id, kind, subject_id, attempt, payload, state)
     VALUES (gen_random_uuid(), $1, 'assign', $2, 1, $3, 'pending')`,
    [merchant.id, orderId, JSON.stringify({ riderId: named, isTest: false, actor: caller.actor })],
  )
  await eventually(async () => {
    const [intent] = await mesh.orderSql(
      "SELECT state, outcome FROM intent WHERE subject_id = $1 AND kind = 'assign'",
      [orderId],
    )
    expect(intent).toEqual({ state: 'declined', outcome: { reason: 'assigned_otherwise' } })
  })
  expect((await mesh.orders(caller).getOrder({ id: orderId })).order?.rider?.id).toBe(chosen)
})

describe('without dispatch in reach', () => {
  let lonely: OrderMesh
  beforeAll(async () => {
    lonely = await orderMesh()
  })
  afterAll(() => lonely.stop())

  test('an order with points is refused and nothing stored, while one without, and what was stored, is answered', async () => {
    const known = creation({}, inside)
    const first = await lonely.orders(merchant.caller).createOrder(known)
    expect(first.order?.fee_minor).toBeUndefined()
    const cut = await lonely.start({
      dispatchGrpcAddress: '127.0.0.1:9',
      dispatchCallerSecret: TEST_SECRET,
      instance: 'cut off',
    })
    const clients = clientsOf(cut.address())
    try {
      const orders = clients.orders(merchant.caller)
      for (const record of [inside, { rider_id: SANDBOX_RIDER.id }]) {
        const request = creation({}, record)
        await expect(orders.createOrder(request)).rejects.toMatchObject({ code: 'service_unavailable' })
        expect(
          await lonely.rows('SELECT 1 FROM orders WHERE external_order_id = $1', [request.external_order_id]),
        ).toEqual([])
      }
      expect(await orders.createOrder(known)).toMatchObject({ idempotent: true, order: { id: first.order?.id } })
      expect((await orders.createOrder(creation())).order?.status).toBe('pending')
    } finally {
      clients.close()
      await cut.stop()
    }
  })

  test('because there is none, nothing is priced, and neither quotes nor riders can be named', async () => {
    const orders = lonely.orders(merchant.caller)
    expect((await orders.createOrder(creation({}, outside))).order?.fee_minor).toBeUndefined()
    await expect(orders.createOrder(creation({ quote_id: randomUUID() }, inside))).rejects.toMatchObject({
      code: 'quote_mismatch',
    })
    await expect(orders.createOrder(creation({}, { rider_id: SANDBOX_RIDER.id }))).rejects.toMatchObject({
      details: { field: 'standardized.rider_id', rule: 'assignable' },
    })
  })
})
