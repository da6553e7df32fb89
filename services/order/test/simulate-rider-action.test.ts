import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { Caller } from '@svc/grpc'
import { adminCaller, merchantCaller } from '@svc/testing'
import { clientsOf, creation, type OrderMesh, orderMesh } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

async function place(caller: Caller): Promise<string> {
  const { order } = await mesh.orders(caller).createOrder(creation())
  return order?.id ?? ''
}

const act = (caller: Caller, id: string, action: string, strict = false) =>
  mesh.simulator(caller).simulateRiderAction({ order_id: id, action, strict })

describe('a simulated rider action', () => {
  test.each([
    ['accept', 'accepted', ['order.rider_assigned', 'order.accepted']],
    ['pickup', 'picked_up', ['order.picked_up', 'order.status_updated']],
    ['deliver', 'delivered', ['order.delivered', 'order.status_updated']],
  ])('%s leads to %s and names the events that its webhooks will bear', async (action, status, events) => {
    const caller = merchantCaller()
    const id = await place(caller)
    const done = await act(caller, id, action)
    expect(done).toMatchObject({
      previous_status: 'pending',
      changed: true,
      out_of_sequence: action !== 'accept',
      simulator_rider_id: SANDBOX_RIDER.id,
      available_actions: ['accept', 'pickup', 'deliver'],
      order: {
        status,
        rider: {
          id: SANDBOX_RIDER.id,
          name: SANDBOX_RIDER.name,
          phone: SANDBOX_RIDER.phone,
          vehicle_type: 'motorcycle',
        },
      },
    })
    expect(JSON.parse(done.order?.unified_json ?? '').standardized.rider_id).toBe(SANDBOX_RIDER.id)
    const facts = (await mesh.facts(id)).slice(1)
    expect(done.events).toEqual(facts.map(({ type, event_id }) => ({ event: type, event_id })))
    expect(facts.map(({ type }) => type)).toEqual(events)
  })

  test('to the status the order has already changes nothing, in strict mode neither', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    await act(caller, id, 'accept')
    for (const strict of [false, true]) {
      expect(await act(caller, id, 'accept', strict)).toMatchObject({
        changed: false,
        out_of_sequence: false,
        events: [],
      })
    }
    expect(await mesh.facts(id)).toHaveLength(3)
  })

  test('out of sequence is refused in strict mode, and changes nothing', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    await expect(act(caller, id, 'deliver', true)).rejects.toMatchObject({
      code: 'invalid_transition',
      details: { status: 'pending', action: 'deliver', available_actions: ['accept'] },
    })
    expect((await mesh.orders(caller).getOrder({ id })).order).toMatchObject({
      status: 'pending',
      rider: undefined,
      version: 1,
    })
    expect((await act(caller, id, 'accept', true)).available_actions).toEqual(['pickup'])
  })

  test('on a cancelled order revives it and keeps the cancellation as history', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    await mesh.orders(caller).cancelOrder({ id, reason: 'other' })
    const { order, out_of_sequence } = await act(caller, id, 'accept')
    expect(out_of_sequence).toBe(true)
    expect(order?.cancelled_at).toBeUndefined()
    expect(JSON.parse(order?.unified_json ?? '').cancellation).toMatchObject({ reason: 'other' })
  })
})

describe('the simulator refuses', () => {
  test("a live key, and a test key on the merchant's own live order, as not being in test mode", async () => {
    const caller = merchantCaller()
    const live = { ...caller, isTest: false }
    const liveOrder = await place(live)
    await expect(act(live, liveOrder, 'accept')).rejects.toMatchObject({ code: 'test_mode_required' })
    await expect(act(caller, liveOrder, 'accept')).rejects.toMatchObject({ code: 'test_mode_required' })
    expect(await mesh.facts(liveOrder)).toHaveLength(1)
  })

  test("unknown orders and another tenant's alike, whatever their environment", async () => {
    const stranger = merchantCaller()
    const targets = [await place(merchantCaller()), await place(merchantCaller({ isTest: false })), randomUUID()]
    for (const id of targets) await expect(act(stranger, id, 'accept')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('unknown actions, callers that are no merchants, and merchants without the scope', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    await expect(act(caller, id, 'fly')).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'action' },
    })
    await expect(act(adminCaller(), id, 'accept')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(act({ ...caller, scopes: ['orders:read'] }, id, 'accept')).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('everything while the operator has it switched off', async () => {
    const off = await mesh.start({ simulatorEnabled: false, instance: 'off' })
    const clients = clientsOf(off.address())
    try {
      const caller = merchantCaller()
      const request = { order_id: await place(caller), action: 'accept', strict: false }
      await expect(clients.simulator(caller).simulateRiderAction(request)).rejects.toMatchObject({
        code: 'simulator_disabled',
      })
    } finally {
      clients.close()
      await off.stop()
    }
  })
})
