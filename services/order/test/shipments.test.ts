import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller } from '@svc/testing'
import { acceptance, creation, type OrderMesh, orderMesh, page, summary } from './order-mesh.ts'
import { draft, LAGOS, pricing, row, rows, staged } from './shipment-fixture.ts'

const fares = pricing()
let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh({}, { dispatch: fares.dispatch })
})
afterAll(() => mesh.stop())

const refused = (promise: Promise<unknown>) => expect(promise).rejects
const shipments = (caller: Caller) => mesh.shipments(caller)
const get = (caller: Caller, id: string) => shipments(caller).getShipment({ id })
const begun = (caller: Caller, id: string, count: number) =>
  eventually(async () => {
    const { shipment } = await get(caller, id)
    expect(shipment?.counts).toMatchObject({ draft: 0, pending: count })
  })

interface Child {
  id: string
  row: number
  status: string
  version: number
  external_order_id: string
  tracking_token: string | null
}

const children = (shipmentId: string) =>
  mesh.rows<Child>(
    `SELECT id, shipment_row AS row, status, version, external_order_id, tracking_token FROM orders
      WHERE shipment_id = $1 ORDER BY shipment_row`,
    [shipmentId],
  )

describe('a draft', () => {
  test('is estimated by its rows, listed and read with its orders, and nobody hears of them', async () => {
    const caller = merchantCaller()
    const sent = [row(), row({ dropoff_lat: undefined, dropoff_lng: undefined }), row({ external_order_id: 'own-1' })]
    const created = await shipments(caller).createShipment(await staged(mesh, caller, sent))
    expect(created).toMatchObject({ total_orders: 3, estimated_fee_minor: 2_500, currency: 'NGN', replayed: false })
    const { shipment_id: id } = created
    expect(await get(caller, id)).toMatchObject({
      shipment: { id, status: 'draft', source: 'bulk_json', pickup: LAGOS, counts: { draft: 3, pending: 0, other: 0 } },
      child_order_count: 3,
    })
    const orders = await children(id)
    expect(orders.map(({ external_order_id }) => external_order_id)).toEqual([`${id}:1`, `${id}:2`, 'own-1'])
    expect(orders.map(({ status, version, tracking_token }) => [status, version, tracking_token])).toEqual(
      Array(3).fill(['draft', 0, null]),
    )
    for (const order of orders) expect(await mesh.facts(order.id)).toEqual([])
    const listed = await mesh.orders(caller).listOrders({ ...page(), status: 'draft' })
    expect(listed.total).toBe(3)
    const { order } = await mesh.orders(caller).getOrder({ id: orders[1]!.id })
    expect(JSON.parse(order!.unified_json)).toMatchObject({
      status: 'draft',
      raw_payload: { shipment_id: id, row: 2, fee_basis: 'minimum' },
      standardized: { customer_name: 'Ada Obi', customer_phone: '+2348031234567', pickup_address: LAGOS.address },
    })
    expect(await mesh.rows('SELECT FROM shipment_rows WHERE merchant_id = $1', [caller.merchantId])).toEqual([])
  })

  test('changes through its shipment alone', async () => {
    const caller = merchantCaller()
    const id = await draft(mesh, caller, 1)
    const [order] = await children(id)
    const state = { code: 'invalid_state' }
    await refused(mesh.orders(caller).updateOrder({ id: order!.id, status: 'pending' })).toMatchObject(state)
    await refused(mesh.orders(caller).cancelOrder({ id: order!.id, reason: 'other' })).toMatchObject(state)
    await refused(mesh.fulfilment().commitAssignment(acceptance(order!.id))).toMatchObject(state)
    await refused(
      mesh.simulator(caller).simulateRiderAction({ order_id: order!.id, action: 'accept', strict: false }),
    ).toMatchObject(state)
    expect((await children(id))[0]).toMatchObject({ status: 'draft', version: 0 })
  })

  test('is refused whole by one wrong row, each fault by its place in the request', async () => {
    const caller = merchantCaller()
    const sent = [
      row(),
      row({ recipient_phone: 'x', recipient_name: '' }),
      row({ dropoff_lat: '91' }),
      row({ dropoff_lng: undefined }),
    ]
    await refused(shipments(caller).createShipment(await staged(mesh, caller, sent))).toMatchObject({
      code: 'validation_error',
      details: {
        field: 'orders[1].recipient_name',
        fields: [
          { field: 'orders[1].recipient_name', rule: 'required' },
          { field: 'orders[2].dropoff_lat', rule: 'range' },
          { field: 'orders[3].dropoff_lng', rule: 'required' },
        ],
      },
    })
    await refused(
      shipments(caller).createShipment(await staged(mesh, caller, [row({ recipient_phone: 'x' })])),
    ).toMatchObject({
      details: { field: 'orders[0].recipient_phone', rule: 'phone' },
    })
    expect((await shipments(caller).listShipments(page())).total).toBe(0)
  })

  test('takes no row whose external_order_id an order has, of the same request or before', async () => {
    const caller = merchantCaller()
    const twice = [row({ external_order_id: 'a' }), row(), row({ external_order_id: 'a' })]
    await refused(shipments(caller).createShipment(await staged(mesh, caller, twice))).toMatchObject({
      details: {
        fields: [{ field: expect.stringMatching(/^orders\[[02]\]\.external_order_id$/), rule: 'duplicate_order' }],
      },
    })
    expect((await shipments(caller).listShipments(page())).total).toBe(0)
    const kept = await shipments(caller).uploadShipment(await staged(mesh, caller, twice))
    expect(kept).toMatchObject({ total_orders: 2, estimated_fee_minor: 2_000, rows_parsed: 3, rows_failed: 1 })
    expect(kept.errors).toEqual([expect.objectContaining({ field: 'external_order_id' })])
  })

  test('of an upload keeps the good rows and names the others; of none that is good it is refused', async () => {
    const caller = merchantCaller()
    const sent = [row({ recipient_phone: '' }), row(), row({ unreadable: 'The row has 2 columns instead of 3.' })]
    const kept = await shipments(caller).uploadShipment(await staged(mesh, caller, sent))
    expect(kept).toMatchObject({ total_orders: 1, rows_parsed: 3, rows_failed: 2 })
    expect(kept.errors).toEqual([
      { row: 1, field: 'recipient_phone', message: 'recipient_phone is required.' },
      { row: 3, field: '', message: 'The row has 2 columns instead of 3.' },
    ])
    expect((await children(kept.shipment_id)).map((child) => child.external_order_id)).toEqual([
      `${kept.shipment_id}:2`,
    ])
    await refused(
      shipments(caller).uploadShipment(await staged(mesh, caller, [row({ recipient_phone: '' })])),
    ).toMatchObject({
      code: 'validation_error',
      details: { fields: [{ field: 'row 1: recipient_phone' }] },
    })
  })

  test('has 1 to 5,000 rows', async () => {
    const caller = merchantCaller()
    await refused(shipments(caller).createShipment(await staged(mesh, caller, []))).toMatchObject({
      details: { field: 'orders' },
    })
    await refused(shipments(caller).createShipment(await staged(mesh, caller, rows(5_001)))).toMatchObject({
      details: { field: 'orders', rule: 'max', limit: 5_000 },
    })
  })

  test('answers its idempotency key again, and another request under it not at all', async () => {
    const caller = merchantCaller()
    const keyed = async (name: string, count: number) => ({
      ...(await staged(mesh, caller, rows(count))),
      idempotency: { key: name, request_hash: Buffer.from(`${count}`) },
    })
    const first = await shipments(caller).createShipment(await keyed('k', 2))
    const again = await shipments(caller).createShipment(await keyed('k', 2))
    expect(again).toEqual({ ...first, replayed: true })
    const twins = await Promise.all([1, 2, 3].map(async () => shipments(caller).createShipment(await keyed('t', 2))))
    expect(new Set(twins.map(({ shipment_id }) => shipment_id)).size).toBe(1)
    await refused(shipments(caller).createShipment(await keyed('k', 3))).toMatchObject({ code: 'idempotency_conflict' })
    expect((await shipments(caller).listShipments(page())).total).toBe(2)
  })

  test('needs an active rate card, and a merchant that may trade', async () => {
    const caller = merchantCaller()
    const blocked = { ...caller, standing: { ...caller.standing!, billingStatus: 'past_due' } }
    await refused(shipments(blocked).createShipment(await staged(mesh, blocked, rows(1)))).toMatchObject({
      code: 'billing_blocked',
    })
    const id = await draft(mesh, caller, 1)
    await refused(shipments(blocked).submitShipment({ id })).toMatchObject({ code: 'billing_blocked' })
    fares.answer({ card: null })
    const request = await staged(mesh, caller, rows(1))
    await refused(
      shipments(caller)
        .createShipment(request)
        .finally(() => fares.answer({})),
    ).toMatchObject({
      code: 'OUT_OF_COVERAGE_AREA',
      details: { reason: 'no_rate_card' },
    })
  })

  test('judges stated times as any order does', async () => {
    const caller = merchantCaller()
    const past = await staged(mesh, caller, rows(1), { scheduled_pickup_at: '2020-01-01T10:00:00Z' })
    await refused(shipments(caller).createShipment(past)).toMatchObject({
      code: 'invalid_pickup_time',
      details: { field: 'scheduled_pickup_at', rule: 'in_future' },
    })
    const half = await staged(mesh, caller, rows(1), { delivery_window_start: '2099-01-01T10:00:00Z' })
    await refused(shipments(caller).createShipment(half)).toMatchObject({ code: 'missing_pickup_time' })
    const sent = [row({ scheduled_pickup_at: '2099-01-01T10:00:00Z' }), row({ scheduled_pickup_at: 'soon' })]
    const kept = await shipments(caller).uploadShipment(await staged(mesh, caller, sent))
    expect(kept.errors).toEqual([expect.objectContaining({ row: 2, field: 'scheduled_pickup_at' })])
    await shipments(caller).submitShipment({ id: kept.shipment_id })
    await begun(caller, kept.shipment_id, 1)
    const [order] = await children(kept.shipment_id)
    const [fact] = await mesh.facts(order!.id)
    expect(JSON.parse(fact!.fact.order!.unified_json).standardized).toMatchObject({
      scheduled_pickup_at: '2099-01-01T10:00:00Z',
      delivery_window_start: '2099-01-01T10:00:00.000Z',
      delivery_window_end: '2099-01-01T18:00:00.000Z',
    })
  })
})

describe('a submit', () => {
  test('begins every order once, in the order of rows, with times, a tracking link and order.created', async () => {
    const caller = merchantCaller()
    const id = await draft(mesh, caller, 120)
    const submitted = await shipments(caller).submitShipment({ id })
    expect(submitted).toMatchObject({
      shipment_id: id,
      status: 'submitted',
      total_orders: 120,
      hold_minor: 0,
      already_submitted: false,
    })
    await begun(caller, id, 120)
    const orders = await children(id)
    expect(orders.map(({ version }) => version)).toEqual(Array(120).fill(1))
    expect(new Set(orders.map(({ tracking_token }) => tracking_token)).size).toBe(120)
    const facts = await mesh.rows<{ id: string; type: string }>(
      'SELECT aggregate_id AS id, type FROM outbox WHERE aggregate_id = ANY($1) ORDER BY seq',
      [orders.map((order) => order.id)],
    )
    expect(facts).toEqual(orders.map((order) => ({ id: order.id, type: 'order.created' })))
    const [{ fact } = { fact: undefined }] = await mesh.facts(orders[0]!.id)
    expect(fact?.order).toMatchObject({ status: 'pending', version: 1, created_at: expect.any(String) })
    const { standardized } = JSON.parse(fact!.order!.unified_json)
    const pickup = Date.parse(standardized.scheduled_pickup_at)
    expect(pickup).toBeGreaterThan(Date.now())
    expect(Date.parse(standardized.delivery_window_end) - pickup).toBe(8 * 3_600_000)
    expect(await shipments(caller).submitShipment({ id })).toMatchObject({ already_submitted: true })
  })

  test('of a draft without a pickup, or with rows outside the area, is refused naming them; nothing is submitted', async () => {
    const caller = merchantCaller()
    const bare = await staged(mesh, caller, rows(1), { pickup: undefined })
    const { shipment_id: without } = await shipments(caller).createShipment(bare)
    await refused(shipments(caller).submitShipment({ id: without })).toMatchObject({
      code: 'validation_error',
      details: { field: 'pickup' },
    })
    const sent = [
      row(),
      row({ dropoff_lat: '9.5' }),
      row({ dropoff_lat: undefined, dropoff_lng: undefined }),
      row({ dropoff_lat: '9.7' }),
    ]
    const { shipment_id: id } = await shipments(caller).createShipment(await staged(mesh, caller, sent))
    fares.outside(({ lat }) => lat > 9)
    await refused(
      shipments(caller)
        .submitShipment({ id })
        .finally(() => fares.outside(() => false)),
    ).toMatchObject({
      code: 'OUT_OF_COVERAGE_AREA',
      details: {
        point: 'dropoff',
        lat: 9.5,
        reason: 'outside_zones',
        fields: [{ field: 'orders[1].dropoff_lat' }, { field: 'orders[3].dropoff_lat' }],
      },
    })
    expect((await get(caller, id)).shipment?.status).toBe('draft')
  })

  test('waits for the next time that dispatch is open', async () => {
    const caller = merchantCaller()
    const id = await draft(mesh, caller, 1)
    const opensAt = new Date('2099-05-05T08:00:00.000Z')
    fares.answer({ opensAt })
    await shipments(caller)
      .submitShipment({ id })
      .finally(() => fares.answer({}))
    await begun(caller, id, 1)
    const [order] = await children(id)
    const { order: shown } = await mesh.orders(caller).getOrder({ id: order!.id })
    expect(JSON.parse(shown!.unified_json).standardized.scheduled_pickup_at).toBe(opensAt.toISOString())
  })

  test('ten at once are one, and of a race with a cancel one wins', async () => {
    const caller = merchantCaller()
    const id = await draft(mesh, caller, 60)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => eventually(() => shipments(caller).submitShipment({ id }))),
    )
    expect(answers.filter(({ already_submitted }) => !already_submitted).length).toBeLessThanOrEqual(1)
    await begun(caller, id, 60)
    expect((await children(id)).map(({ version }) => version)).toEqual(Array(60).fill(1))
    for (let round = 0; round < 5; round++) {
      const raced = await draft(mesh, caller, 3)
      const [submit, cancel] = await Promise.allSettled([
        shipments(caller).submitShipment({ id: raced }),
        shipments(caller).cancelShipment({ id: raced }),
      ])
      expect([submit.status, cancel.status].toSorted()).toEqual(['fulfilled', 'rejected'])
      const lost = submit.status === 'rejected' ? submit.reason.code : (cancel as PromiseRejectedResult).reason.code
      expect(lost).toBe(submit.status === 'rejected' ? 'invalid_state' : 'cannot_cancel')
      const status = submit.status === 'fulfilled' ? 'pending' : 'cancelled'
      await eventually(async () =>
        expect((await children(raced)).map((child) => child.status)).toEqual(Array(3).fill(status)),
      )
    }
  })
})

describe('a shipment', () => {
  test('is dispatching once a rider has one of its orders, and completed once all have ended', async () => {
    const caller = merchantCaller({ isTest: false })
    const id = await draft(mesh, caller, 3)
    await shipments(caller).submitShipment({ id })
    await begun(caller, id, 3)
    const [first, second, third] = await children(id)
    await mesh.fulfilment().commitAssignment(acceptance(first!.id, summary()))
    expect((await get(caller, id)).shipment).toMatchObject({
      status: 'dispatching',
      counts: { accepted: 1, pending: 2 },
    })
    await mesh.orders(caller).updateOrder({ id: first!.id, status: 'delivered' })
    await mesh.orders(caller).cancelOrder({ id: second!.id, reason: 'other' })
    await mesh.orders(caller).updateOrder({ id: third!.id, status: 'lost_in_transit' })
    await eventually(async () =>
      expect((await get(caller, id)).shipment).toMatchObject({
        status: 'completed',
        completed_at: expect.any(String),
        counts: { delivered: 1, cancelled: 1, other: 1 },
      }),
    )
  })

  test('is not dispatching by an order that is cancelled before a rider has it', async () => {
    const caller = merchantCaller({ isTest: false })
    const id = await draft(mesh, caller, 2)
    await shipments(caller).submitShipment({ id })
    await begun(caller, id, 2)
    const [first, second] = await children(id)
    await mesh.orders(caller).cancelOrder({ id: first!.id, reason: 'other' })
    expect((await get(caller, id)).shipment).toMatchObject({
      status: 'submitted',
      counts: { pending: 1, cancelled: 1 },
    })
    await mesh.orders(caller).cancelOrder({ id: second!.id, reason: 'other' })
    await eventually(async () => expect((await get(caller, id)).shipment).toMatchObject({ status: 'completed' }))
  })

  test('that is a draft is cancelled with all of its orders, once; one that was submitted is not', async () => {
    const caller = merchantCaller()
    const id = await draft(mesh, caller, 3)
    const cancelled = await shipments(caller).cancelShipment({ id })
    expect(cancelled).toMatchObject({
      shipment: { status: 'cancelled', cancelled_at: expect.any(String) },
      already_cancelled: false,
    })
    expect(await shipments(caller).cancelShipment({ id })).toMatchObject({ already_cancelled: true })
    const orders = await children(id)
    expect(orders.map(({ status }) => status)).toEqual(Array(3).fill('cancelled'))
    const { order } = await mesh.orders(caller).getOrder({ id: orders[0]!.id })
    expect(order?.cancelled_at).toEqual(expect.any(String))
    expect(JSON.parse(order!.unified_json)).toMatchObject({
      status: 'cancelled',
      cancellation: { reason: 'shipment_cancelled' },
    })
    for (const each of orders) expect(await mesh.facts(each.id)).toEqual([])
    await refused(mesh.orders(caller).updateOrder({ id: orders[0]!.id, status: 'pending' })).toMatchObject({
      code: 'invalid_state',
    })
    await refused(shipments(caller).submitShipment({ id })).toMatchObject({ code: 'invalid_state' })
    const other = await draft(mesh, caller, 1)
    await shipments(caller).submitShipment({ id: other })
    await refused(shipments(caller).cancelShipment({ id: other })).toMatchObject({ code: 'cannot_cancel' })
  })

  test('of another merchant, of the other environment and of nobody is unknown', async () => {
    const caller = merchantCaller()
    const id = await draft(mesh, caller, 1)
    for (const [stranger, asked] of [
      [merchantCaller(), id],
      [{ ...caller, isTest: false }, id],
      [caller, randomUUID()],
      [caller, 'x'],
    ] as const) {
      const unknown = { code: 'not_found' }
      await refused(shipments(stranger).getShipment({ id: asked })).toMatchObject(unknown)
      await refused(shipments(stranger).submitShipment({ id: asked })).toMatchObject(unknown)
      await refused(shipments(stranger).cancelShipment({ id: asked })).toMatchObject(unknown)
    }
    expect((await shipments(merchantCaller()).listShipments(page())).total).toBe(0)
  })

  test('is listed newest first, by pages and by status', async () => {
    const caller = merchantCaller()
    const ids: string[] = []
    for (let nth = 0; nth < 3; nth++) ids.unshift(await draft(mesh, caller, 1))
    await shipments(caller).cancelShipment({ id: ids[1]! })
    const list = async (asked: object) => {
      const { shipments: found, total } = await shipments(caller).listShipments({ ...page(), ...asked })
      return [found.map(({ id }) => id), total]
    }
    expect(await list({})).toEqual([ids, 3])
    expect(await list({ limit: 1, offset: 1 })).toEqual([[ids[1]], 3])
    expect(await list({ status: 'cancelled' })).toEqual([[ids[1]], 1])
    await refused(list({ status: 'lost' })).toMatchObject({ details: { field: 'status' } })
  })

  test('does not stand in the way of orders of the same merchant', async () => {
    const caller = merchantCaller()
    await draft(mesh, caller, 2)
    const { order } = await mesh.orders(caller).createOrder(creation())
    expect(order?.status).toBe('pending')
  })
})
