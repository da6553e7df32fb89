import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SandboxClockFact } from '@svc/contracts/order/v1/simulator_service'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller } from '@svc/testing'
import { type OrderMesh, orderMesh } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh?.stop())

/** A test order whose next step is ten minutes away. */
async function slow(caller: Caller): Promise<string> {
  const standardized_json = JSON.stringify({
    pickup_address: '1 Marina',
    dropoff_address: '2 Broad',
    customer_phone: '08031234567',
  })
  const { order } = await mesh.simulator(caller).createAutoSimulatorOrder({
    order: { external_order_id: randomUUID(), standardized_json },
    step_delay_ms: 600_000,
  })
  return order!.id
}
const advance = (caller: Caller, seconds: number) => mesh.simulator(caller).advanceClock({ seconds })
const statusOf = async (caller: Caller, id: string) => (await mesh.orders(caller).getOrder({ id })).order?.status

describe('advancing the clock of a sandbox', () => {
  test('lets steps come due, and those of no other merchant', async () => {
    const [merchant, other] = [merchantCaller(), merchantCaller()]
    const [orderId, foreign] = [await slow(merchant), await slow(other)]
    await advance(merchant, 600)
    await eventually(async () => expect(await statusOf(merchant, orderId)).toBe('accepted'))
    await advance(merchant, 1_200)
    await eventually(async () => expect(await statusOf(merchant, orderId)).toBe('delivered'))
    expect(await statusOf(other, foreign)).toBe('pending')
  })

  test('answers what the clock shows, and tells the others each step once', async () => {
    const merchant = merchantCaller()
    const before = Date.now()
    await advance(merchant, 86_400)
    const { now } = await advance(merchant, 86_400)
    expect(Math.abs(Date.parse(now ?? '') - before - 2 * 86_400_000)).toBeLessThan(300_000)
    const told = await mesh.rows<{ aggregate_version: number; is_test: boolean; payload: Buffer }>(
      `SELECT aggregate_version, is_test, payload FROM outbox
        WHERE type = 'sandbox.clock_advanced' AND merchant_id = $1 ORDER BY aggregate_version`,
      [merchant.merchantId],
    )
    expect(
      told.map((row) => [row.aggregate_version, row.is_test, SandboxClockFact.decode(row.payload).seconds]),
    ).toEqual([
      [1, true, 86_400],
      [2, true, 86_400],
    ])
  })

  test('is refused for live credentials, backwards, and for more than a month at once', async () => {
    await expect(advance(merchantCaller({ isTest: false }), 60)).rejects.toMatchObject({ code: 'test_mode_required' })
    for (const seconds of [0, -1, 2_592_001])
      await expect(advance(merchantCaller(), seconds)).rejects.toMatchObject({
        code: 'validation_error',
        details: { field: 'seconds' },
      })
  })
})
