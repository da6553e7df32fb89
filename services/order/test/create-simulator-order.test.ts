import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import { eventually, merchantCaller } from '@svc/testing'
import { creation, type OrderMesh, orderMesh } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

const least = { pickup_address: '1 Marina', dropoff_address: '2 Broad Street', customer_phone: '+2348031234567' }
const request = (record: Record<string, unknown> = {}, externalOrderId: string = randomUUID()) => ({
  order: { external_order_id: externalOrderId, standardized_json: JSON.stringify({ ...least, ...record }) },
  emit_webhooks: true,
})

describe('a simulated order', () => {
  test('needs addresses and a phone only: its times are filled in, its source is simulator', async () => {
    const { order, ...rest } = await mesh.simulator(merchantCaller()).createSimulatorOrder(request())
    expect(rest).toEqual({
      idempotent: false,
      simulator_rider_id: SANDBOX_RIDER.id,
      available_actions: ['accept', 'pickup', 'deliver'],
    })
    expect(order).toMatchObject({ source: 'simulator', is_test: true, status: 'pending', rider: undefined })
    const { scheduled_pickup_at, delivery_window_end } = JSON.parse(order?.unified_json ?? '').standardized
    const createdAt = new Date(order?.created_at ?? '').getTime()
    expect(new Date(scheduled_pickup_at).getTime() - createdAt).toBeCloseTo(15 * 60_000, -3)
    expect(new Date(delivery_window_end).getTime() - createdAt).toBeCloseTo(120 * 60_000, -3)
    expect((await mesh.facts(order?.id ?? '')).map(({ type, fact }) => [type, fact.muted])).toEqual([
      ['order.created', false],
    ])
  })

  test('muted keeps its fact, marked as not to be sent', async () => {
    const { order } = await mesh
      .simulator(merchantCaller())
      .createSimulatorOrder({ ...request(), emit_webhooks: false })
    expect((await mesh.facts(order?.id ?? '')).map(({ fact }) => fact.muted)).toEqual([true])
  })

  test('sent again is the same order, the muting not being part of what is compared', async () => {
    const caller = merchantCaller()
    const first = await mesh.simulator(caller).createSimulatorOrder(request({}, 'S-1'))
    const again = await mesh.simulator(caller).createSimulatorOrder({ ...request({}, 'S-1'), emit_webhooks: false })
    expect(again).toMatchObject({ idempotent: true, order: { id: first.order?.id } })
    await expect(mesh.simulator(caller).createSimulatorOrder(request({ notes: 'x' }, 'S-1'))).rejects.toMatchObject({
      code: 'duplicate_order',
      details: { order_id: first.order?.id, changed_fields: ['standardized.notes'] },
    })
  })

  test.each([
    [{ customer_phone: undefined }, 'validation_error'],
    [{ scheduled_pickup_at: '2020-01-01T00:00:00Z' }, 'invalid_pickup_time'],
    [{ delivery_window_end: 'soon' }, 'invalid_delivery_window'],
  ])('with %j is refused with %s', async (record, code) => {
    await expect(mesh.simulator(merchantCaller()).createSimulatorOrder(request(record))).rejects.toMatchObject({ code })
  })

  test('is refused to live keys and to merchants whose billing blocks writes', async () => {
    await expect(
      mesh.simulator(merchantCaller({ isTest: false })).createSimulatorOrder(request()),
    ).rejects.toMatchObject({
      code: 'test_mode_required',
    })
    const standing = { billingStatus: 'canceled', kybStatus: 'verified', businessApprovalStatus: 'approved' }
    await expect(mesh.simulator(merchantCaller({ standing })).createSimulatorOrder(request())).rejects.toMatchObject({
      code: 'billing_blocked',
    })
  })
})

describe('the sandbox', () => {
  test('forgets test orders after 30 days and never a live one', async () => {
    const caller = merchantCaller()
    const auto = { order: request().order, step_delay_ms: 0 }
    const { order: old } = await mesh.simulator(caller).createAutoSimulatorOrder(auto)
    const live = { ...caller, isTest: false }
    const { order: kept } = await mesh.orders(live).createOrder(creation())
    await mesh.database.shiftClock(31 * 86_400_000)
    const sweeper = await mesh.start({ instance: 'sweeper', sweepIntervalMs: 50 })
    try {
      await eventually(async () => (await mesh.rows('SELECT 1 FROM orders WHERE id = $1', [old?.id])).length === 0)
      expect(await mesh.rows('SELECT 1 FROM sim_timer WHERE order_id = $1', [old?.id])).toEqual([])
      expect((await mesh.orders(live).getOrder({ id: kept?.id ?? '' })).order?.id).toBe(kept?.id)
    } finally {
      await sweeper.stop()
      await mesh.database.shiftClock(0)
    }
  })
})
