import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { CreateOrderRequest } from '@svc/contracts/order/v1/order_service'
import { merchantCaller } from '@svc/testing'
import fc from 'fast-check'
import { creation, keyed, type OrderMesh, orderMesh, standardized } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

/** Few keys, few names and few bodies, so that they meet often. */
const attempt = fc.record({
  key: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined }),
  name: fc.constantFrom('n1', 'n2', 'n3'),
  body: fc.constantFrom('b1', 'b2'),
})
type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never

const record = standardized()

function requestOf({ key, name, body }: Attempt): CreateOrderRequest {
  const request = creation({ external_order_id: name, raw_payload_json: JSON.stringify({ body }) }, record)
  return key === undefined ? request : keyed(key, request)
}

const outcomeOf = (caller: ReturnType<typeof merchantCaller>, tried: Attempt) =>
  mesh
    .orders(caller)
    .createOrder(requestOf(tried))
    .then(
      ({ order, replayed, idempotent }) => ({
        id: order?.id,
        says: replayed ? 'replayed' : idempotent ? 'existing' : 'created',
      }),
      (error: { code: string }) => ({ id: undefined, says: error.code }),
    )

/** The rules of both kinds of idempotency, one line each. */
function rules() {
  const keys = new Map<string, string>()
  const orders = new Map<string, string>()
  return ({ key, name, body }: Attempt): string => {
    const content = `${name} ${body}`
    const known = key && keys.get(key)
    if (known) return known === content ? 'replayed' : 'idempotency_conflict'
    const stored = orders.get(name)
    if (stored && stored !== body) return 'duplicate_order'
    orders.set(name, body)
    if (key) keys.set(key, content)
    return stored ? 'existing' : 'created'
  }
}

test('any sequence of keyed and unkeyed creations is answered by the two rules of idempotency', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 12 }), async (attempts) => {
      const caller = merchantCaller()
      const expected = rules()
      for (const tried of attempts) expect((await outcomeOf(caller, tried)).says).toBe(expected(tried))
    }),
    { numRuns: 30 },
  )
})

test('any crowd of concurrent creations leaves one order and one order.created for each name', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 2, maxLength: 24 }), async (attempts) => {
      const caller = merchantCaller()
      const outcomes = await Promise.all(attempts.map((tried) => outcomeOf(caller, tried)))
      const orders = await mesh.rows<{ id: string; external_order_id: string }>(
        'SELECT id, external_order_id FROM orders WHERE merchant_id = $1',
        [caller.merchantId],
      )
      const created = await mesh.rows(`SELECT 1 FROM outbox WHERE merchant_id = $1 AND type = 'order.created'`, [
        caller.merchantId,
      ])
      expect(new Set(orders.map(({ external_order_id }) => external_order_id)).size).toBe(orders.length)
      expect(created).toHaveLength(orders.length)
      expect(outcomes.filter(({ says }) => says === 'created')).toHaveLength(orders.length)
      const ids = orders.map(({ id }) => id)
      for (const { id } of outcomes) if (id) expect(ids).toContain(id)
    }),
    { numRuns: 20 },
  )
})
