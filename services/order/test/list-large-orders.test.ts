import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Order } from '@svc/contracts/order/v1/order'
import { adminCaller, explain, merchantCaller, onceAvailable, riderCaller, vacuum } from '@svc/testing'
import pg from 'pg'
import { creation, type OrderMesh, orderMesh, page } from './order-mesh.ts'

const KIB = 1024
const ROW_BYTES = 128 * KIB
const LARGE = 'x'.repeat(900 * KIB)

let mesh: OrderMesh
let worker: pg.Client
beforeAll(async () => {
  // One merchant's test orders are more here than a sandbox takes in a day.
  mesh = await orderMesh({ SANDBOX_BYTES_PER_DAY: String(1024 ** 3) })
  worker = new pg.Client({ connectionString: mesh.database.workerUrl })
  await worker.connect()
})
afterAll(async () => {
  await worker?.end()
  await mesh?.stop()
})

const bytesOf = (orders: readonly Order[]): number[] => orders.map((order) => Buffer.byteLength(JSON.stringify(order)))

test.each<[string, object, Record<string, unknown>, object]>([
  [
    'its payload',
    { a: LARGE, digits: 1 },
    { items: [{ name: 'kept' }], mine: 'kept' },
    { items: [{ name: 'kept' }], mine: 'kept' },
  ],
  [
    'its payload and its items',
    { a: LARGE },
    { items: [{ name: 'y'.repeat(200 * KIB) }], mine: 'kept' },
    { items: { truncated: true }, mine: 'kept' },
  ],
  [
    'all that is not known',
    { a: 1 },
    { mine: 'z'.repeat(200 * KIB), more: 'z'.repeat(KIB) },
    { items: { truncated: true }, truncated: true },
  ],
])('of a large order a list shows it without %s, by id it is whole', async (_parts, raw, record, left) => {
  const caller = merchantCaller()
  const large = creation({ raw_payload_json: JSON.stringify(raw) }, { items: [], ...record })
  const { order } = await mesh.orders(caller).createOrder(large)
  const { orders } = await mesh.orders(caller).listOrders(page())
  expect(bytesOf(orders)[0]).toBeLessThan(ROW_BYTES)
  const [listed, whole] = [orders[0], (await mesh.orders(caller).getOrder({ id: order?.id ?? '' })).order]
  const shown = JSON.parse(listed?.unified_json ?? '')
  expect(shown.raw_payload).toEqual({ truncated: true })
  expect(shown.standardized).toMatchObject({ customer_name: 'Ada', ...left })
  if (!('mine' in left)) expect(Object.keys(shown.standardized)).not.toContain('mine')
  expect(JSON.parse(whole?.unified_json ?? '')).toMatchObject({ raw_payload: raw, standardized: record })
  expect({ ...listed, unified_json: '' }).toEqual({ ...whole, unified_json: '' })
})

test('an order of common size is listed as it is, to the last digit', async () => {
  const caller = merchantCaller()
  await mesh.orders(caller).createOrder(creation({ raw_payload_json: '{"big":12345678901234567890,"x":1.0}' }))
  const { orders } = await mesh.orders(caller).listOrders(page())
  expect(orders[0]?.unified_json).toContain('{"big":12345678901234567890,"x":1.0}')
})

test('200 orders of 1 MB are one page for their merchant, their rider and operators, below 26 MiB', async () => {
  const caller = merchantCaller({ isTest: false })
  const riderId = randomUUID()
  const { order } = await mesh
    .orders(caller)
    .createOrder(creation({ raw_payload_json: JSON.stringify({ a: LARGE }) }, { mine: 'y'.repeat(100 * KIB) }))
  await mesh.database.fill(
    `INSERT INTO orders SELECT r.* FROM orders o, generate_series(1, 200) n,
       json_populate_record(o, json_build_object('id', gen_random_uuid(), 'rider_id', $2::uuid, 'tracking_token', NULL,
         'external_order_id', n::text)) r
      WHERE o.id = $1`,
    [order?.id, riderId],
  )
  await mesh.database.slacken()
  const before = process.memoryUsage().rss
  const lists = [
    await onceAvailable(() => mesh.orders(caller).listOrders(page(200))),
    await onceAvailable(() => mesh.fulfilment(riderCaller(riderId)).listRiderOrders(page(200))),
    await onceAvailable(() => mesh.orders(adminCaller()).listOrders(page(200))),
  ]
  for (const { orders } of lists) {
    expect(orders).toHaveLength(200)
    expect(bytesOf(orders).reduce((sum, bytes) => sum + bytes)).toBeLessThan(26 * KIB * KIB)
  }
  // Three pages, encoded and decoded in this one process.
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * KIB * KIB)
})

test('a page of an old merchant reads less than 1,000 pages, however it is filtered, and its total is bounded', async () => {
  const caller = merchantCaller()
  const { order } = await mesh.orders(caller).createOrder(creation())
  await mesh.database.fill(
    `INSERT INTO orders SELECT r.* FROM orders o, generate_series(1, 120000) n,
       json_populate_record(o, json_build_object('id', gen_random_uuid(), 'tracking_token', NULL,
         'external_order_id', 'x-' || n, 'created_at', o.created_at - (120000 - n) * interval '1 second',
         'source', CASE WHEN n % 3000 = 0 THEN 'shop' ELSE 'api' END, 'payment_verified', n % 3000 = 1,
         'status', CASE WHEN n % 3000 = 2 THEN 'lost_in_transit' ELSE 'pending' END)) r
      WHERE o.id = $1`,
    [order?.id],
  )
  await vacuum(mesh.database.ownerUrl, 'orders')
  const filters = [
    'true',
    "status = 'pending'",
    "status = 'lost_in_transit'",
    "status = 'none'",
    'payment_verified',
    'NOT payment_verified',
    "external_order_id = 'x-77'",
    "source = 'shop'",
    "source = 'api'",
  ]
  const tooMany: object[] = []
  // As where the rows of other merchants lie between.
  await worker.query('SET enable_seqscan = off')
  for (const filter of filters) {
    for (const environment of ['is_test', 'true']) {
      const matching = `merchant_id = '${caller.merchantId}' AND ${environment} AND ${filter}`
      for (const [sql, most] of [
        [`SELECT id, status FROM orders WHERE ${matching} ORDER BY created_at DESC, id DESC LIMIT 50`, 1_000],
        // Entries of an index alone, and no more of them than a total counts.
        [`SELECT count(*) FROM (SELECT id FROM orders WHERE ${matching} LIMIT 100000) AS capped`, 2_000],
      ] as const) {
        const carriedOut = await explain(worker, sql)
        if (carriedOut.blocks >= most) tooMany.push(carriedOut)
      }
    }
  }
  expect(tooMany).toEqual([])
})
