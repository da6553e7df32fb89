import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller } from '@svc/testing'
import { nextStepInMs } from '../src/db/scenario-steps.ts'
import { creation, type OrderMesh, orderMesh } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh({ SIMULATOR_OPEN_ORDERS: '1' })
})
afterAll(() => mesh?.stop())

const order = async (caller: Caller) => (await mesh.orders(caller).createOrder(creation())).order!.id
const start = (caller: Caller, order_id: string, step_delay_ms = 0) =>
  mesh.simulator(caller).startScenario({ order_id, scenario: 'lost', step_delay_ms })

describe('a scenario', () => {
  test('waits while dispatch is away: its step stays due and fails nothing', async () => {
    const caller = merchantCaller()
    const orderId = await order(caller)
    await start(caller, orderId)
    // It was tried, and will be again.
    await eventually(async () => {
      const [row] = await mesh.rows<{ lease: string | null }>(
        'SELECT lease FROM sim_timer WHERE order_id = $1 AND step = 1',
        [orderId],
      )
      expect(row?.lease).not.toBeNull()
    })
    // Those after it wait for it, and nobody is told that they are due.
    await eventually(async () =>
      expect(await mesh.service.context.transact('every tenant', nextStepInMs)).toBeGreaterThan(0),
    )
    const { scenario } = await mesh.simulator(caller).getScenario({ order_id: orderId })
    expect([scenario?.state, scenario?.steps.map(({ state, error }) => [state, error])]).toEqual([
      'running',
      Array.from({ length: 4 }, () => ['pending', undefined]),
    ])
  })

  test('counts among the orders of its merchant that progress by themselves', async () => {
    const caller = merchantCaller()
    const [first, second] = [await order(caller), await order(caller)]
    await start(caller, first, 600_000)
    await expect(start(caller, second, 600_000)).rejects.toMatchObject({ code: 'limit_reached', details: { limit: 1 } })
  })

  test('is none of an order that progresses by itself, and the steps of either are not those of the other', async () => {
    const caller = merchantCaller()
    const standardized_json = JSON.stringify({
      pickup_address: '1 Marina',
      dropoff_address: '2 Broad',
      customer_phone: '08031234567',
    })
    const { order: automatic } = await mesh.simulator(caller).createAutoSimulatorOrder({
      order: { external_order_id: randomUUID(), standardized_json },
      step_delay_ms: 600_000,
    })
    await expect(start(caller, automatic!.id)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { reason: 'progresses_by_itself' },
    })
    await expect(mesh.simulator(caller).getScenario({ order_id: automatic!.id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
