import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { merchantCaller } from '@svc/testing'
import { creation, type OrderMesh, orderMesh } from './order-mesh.ts'

const LIMIT = 2_097_152
let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh({ SANDBOX_BYTES_PER_DAY: String(LIMIT) })
})
afterAll(async () => {
  await mesh.database.shiftClock(0)
  await mesh.stop()
})

const large = () => creation({ raw_payload_json: JSON.stringify({ text: 'x'.repeat(700_000) }) })
const full = expect.objectContaining({
  code: 'rate_limited',
  details: expect.objectContaining({ limit_bytes: LIMIT }),
  message: expect.stringContaining('raw_payload'),
})

test('a sandbox takes so many bytes of orders a day, of each merchant; what exists is answered, live orders are not counted', async () => {
  const caller = merchantCaller()
  const orders = mesh.orders(caller)
  const first = large()
  const { order } = await orders.createOrder(first)
  await orders.createOrder(large())
  await expect(orders.createOrder(large())).rejects.toEqual(full)
  expect((await orders.createOrder(first)).order!.id).toBe(order!.id)
  // What is still free may be used.
  expect((await orders.createOrder(creation())).order!.status).toBe('pending')

  expect((await mesh.orders(merchantCaller()).createOrder(large())).order!.status).toBe('pending')
  const live = mesh.orders({ ...caller, isTest: false })
  for (let n = 0; n < 4; n++) expect((await live.createOrder(large())).order!.status).toBe('pending')
})

test('many at once do not pass the limit together', async () => {
  const orders = mesh.orders(merchantCaller())
  const answers = await Promise.allSettled(Array.from({ length: 12 }, () => orders.createOrder(large())))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toEqual(full)
})

test('a change of a test order tells a record of ordinary size whole, and of a large one no more than that again', async () => {
  const caller = merchantCaller()
  const told = async (request: ReturnType<typeof creation>, isTest: boolean) => {
    const orders = mesh.orders({ ...caller, isTest })
    const id = (await orders.createOrder(request)).order!.id
    for (const status of ['accepted', 'picked_up', 'delivered']) await orders.updateOrder({ id, status })
    const sizes = await mesh.rows<{ bytes: number }>(
      'SELECT octet_length(payload) AS bytes FROM outbox WHERE aggregate_id = $1 ORDER BY aggregate_version',
      [id],
    )
    return sizes.map(({ bytes }) => bytes)
  }
  const sized = (bytes: number) => creation({ raw_payload_json: JSON.stringify({ text: 'x'.repeat(bytes) }) })
  const [first, ...more] = await told(sized(200_000), true)
  expect(first).toBeGreaterThan(200_000)
  expect(more.length).toBeGreaterThan(2)
  expect(Math.max(...more)).toBeLessThan(20 * 1024)
  expect(Math.min(...(await told(sized(8_000), true)))).toBeGreaterThan(8_000)
  expect(Math.min(...(await told(sized(200_000), false)))).toBeGreaterThan(200_000)
})

test('the simulator is counted too, and the next day begins at nothing', async () => {
  const caller = merchantCaller()
  for (let n = 0; n < 2; n++) await mesh.orders(caller).createOrder(large())
  const simulated = () =>
    mesh.simulator(caller).createSimulatorOrder({
      order: {
        external_order_id: randomUUID(),
        standardized_json: JSON.stringify({
          pickup_address: '1 Marina Road',
          dropoff_address: '22 Broad Street',
          customer_name: 'Adaeze',
          customer_phone: '08031234567',
          notes: 'x'.repeat(700_000),
        }),
      },
      emit_webhooks: true,
    })
  await expect(simulated()).rejects.toEqual(full)
  await mesh.database.shiftClock(86_400_000)
  expect((await simulated()).order!.status).toBe('pending')
})
