import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller, onceAvailable } from '@svc/testing'
import { type OrderMesh, orderMesh } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh({ SIMULATOR_OPEN_ORDERS: '5' })
})
afterAll(() => mesh.stop())

const JOURNEY = [
  'order.created',
  'order.rider_assigned',
  'order.accepted',
  'order.picked_up',
  'order.status_updated',
  'order.delivered',
  'order.status_updated',
]

const standardized_json = JSON.stringify({
  pickup_address: '1 Marina',
  dropoff_address: '2 Broad',
  customer_phone: '08031234567',
})
const start = (caller: Caller, stepDelayMs: number, externalOrderId: string = randomUUID()) =>
  mesh.simulator(caller).createAutoSimulatorOrder({
    order: { external_order_id: externalOrderId, standardized_json },
    step_delay_ms: stepDelayMs,
  })

const typesOf = async (id: string | undefined) => (await mesh.facts(id ?? '')).map(({ type }) => type)
const delivered = (id: string | undefined) =>
  eventually(async () => (await typesOf(id)).length === JOURNEY.length, { message: 'the order was not delivered' })

describe('an automatic order', () => {
  test('announces its schedule and keeps to it, in order', async () => {
    const { order, timeline } = await start(merchantCaller(), 600)
    const createdAt = new Date(order?.created_at ?? '').getTime()
    expect(
      timeline.map(({ event, status, events, fires_at }) => [
        event,
        status,
        events,
        new Date(fires_at ?? '').getTime() - createdAt,
      ]),
    ).toEqual([
      ['order.created', 'pending', ['order.created'], 0],
      ['order.accepted+order.rider_assigned', 'accepted', ['order.rider_assigned', 'order.accepted'], 600],
      ['order.picked_up', 'picked_up', ['order.picked_up', 'order.status_updated'], 1200],
      ['order.delivered', 'delivered', ['order.delivered', 'order.status_updated'], 1800],
    ])
    await delivered(order?.id)
    const facts = await mesh.facts(order?.id ?? '')
    expect(facts.map(({ type }) => type)).toEqual(JOURNEY)
    for (const [version, dueMs] of [
      [2, 600],
      [4, 1200],
      [6, 1800],
    ] as const) {
      const at = facts[version - 1]?.created_at.getTime() ?? 0
      expect(at - createdAt).toBeGreaterThanOrEqual(dueMs)
      expect(at - createdAt).toBeLessThan(dueMs + 30_000)
    }
  })

  test('without delay is delivered at once, all of its facts within 100 ms', async () => {
    // The quickest of several orders: a busy machine holds up any of them.
    await eventually(async () => {
      const { order } = await start(merchantCaller(), 0)
      await delivered(order?.id)
      const facts = await mesh.facts(order?.id ?? '')
      expect(facts.map(({ type }) => type)).toEqual(JOURNEY)
      const [first, last] = [facts[0]!, facts.at(-1)!]
      expect(last.created_at.getTime() - first.created_at.getTime()).toBeLessThan(100)
    })
  })

  test('sent again is the same order with the same schedule, and starts nothing', async () => {
    const caller = merchantCaller()
    const first = await start(caller, 0, 'A-1')
    await delivered(first.order?.id)
    const again = await start(caller, 60_000, 'A-1')
    expect(again).toMatchObject({ idempotent: true, order: { id: first.order?.id, status: 'delivered' } })
    expect([again.timeline, again.step_delay_ms]).toEqual([first.timeline, 0])
    expect(
      await mesh.rows(`SELECT 1 FROM sim_timer WHERE order_id = $1 AND state = 'pending'`, [first.order?.id]),
    ).toEqual([])
  })

  test('under way tells the delay of its own schedule, not the one that a repeat asked for', async () => {
    const caller = merchantCaller()
    const first = await start(caller, 60_000, 'A-3')
    const again = await start(caller, 5_000, 'A-3')
    expect([first.step_delay_ms, again.step_delay_ms]).toEqual([60_000, 60_000])
    expect([again.idempotent, again.timeline]).toEqual([true, first.timeline])
  })

  test('muted keeps the fact of its creation, marked as not to be sent, and mutes nothing else', async () => {
    const { order } = await mesh.simulator(merchantCaller()).createAutoSimulatorOrder({
      order: { external_order_id: randomUUID(), standardized_json },
      step_delay_ms: 0,
      emit_webhooks: false,
    })
    await delivered(order?.id)
    const facts = await mesh.facts(order?.id ?? '')
    expect(facts.map(({ fact }) => fact.muted)).toEqual([true, ...JOURNEY.slice(1).map(() => false)])
  })

  test('sent by 20 twins at once has one set of timers and one journey', async () => {
    const caller = merchantCaller()
    const replies = await Promise.all(Array.from({ length: 20 }, () => onceAvailable(() => start(caller, 0, 'A-2'))))
    expect(replies.filter(({ idempotent }) => !idempotent)).toHaveLength(1)
    await delivered(replies[0]?.order?.id)
    expect(await typesOf(replies[0]?.order?.id)).toEqual(JOURNEY)
  })

  test('that is cancelled fires no further step', async () => {
    const caller = merchantCaller()
    const { order } = await start(caller, 60_000)
    await mesh.orders(caller).cancelOrder({ id: order?.id ?? '', reason: 'other' })
    const states = await mesh.rows<{ state: string }>('SELECT state FROM sim_timer WHERE order_id = $1', [order?.id])
    expect(states.map(({ state }) => state)).toEqual(['skipped', 'skipped', 'skipped'])
  })

  test('that its merchant drives by hand repeats no step that was reached already', async () => {
    const caller = merchantCaller()
    const { order } = await start(caller, 150)
    const id = order?.id ?? ''
    await mesh.simulator(caller).simulateRiderAction({ order_id: id, action: 'pickup', strict: false })
    await eventually(async () => (await typesOf(id)).includes('order.delivered'))
    expect(await typesOf(id)).toEqual([
      'order.created',
      'order.picked_up',
      'order.status_updated',
      'order.delivered',
      'order.status_updated',
    ])
    const states = await mesh.rows<{ state: string }>('SELECT state FROM sim_timer WHERE order_id = $1 ORDER BY step', [
      id,
    ])
    expect(states.map(({ state }) => state)).toEqual(['skipped', 'skipped', 'done'])
  })

  test('beyond what a merchant may have under way is refused and not stored, 20 at once too', async () => {
    const caller = merchantCaller()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => onceAvailable(() => start(caller, 600_000))),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'limit_reached', details: { limit: 5 } })
    }
    expect(await mesh.rows('SELECT 1 FROM orders WHERE merchant_id = $1', [caller.merchantId])).toHaveLength(5)
    expect(await start(merchantCaller(), 600_000)).toMatchObject({ idempotent: false })
  })

  test.each([-1, 600_001])('with a delay of %d ms is refused', async (stepDelayMs) => {
    await expect(start(merchantCaller(), stepDelayMs)).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'step_delay_ms' },
    })
  })
})
