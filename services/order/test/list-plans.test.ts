import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { explain, type TestDatabase, testDatabase, vacuum } from '@svc/testing'
import pg from 'pg'
import { migrations } from '../src/db/migrations/index.ts'

const ORDERS = 30_000
const merchantId = randomUUID()
const riderId = randomUUID()

let database: TestDatabase
let worker: pg.Client
beforeAll(async () => {
  database = await testDatabase('order', migrations)
  // One order in ten is of other merchants; all are wide enough to lie on pages of a few.
  await database.fill(
    `INSERT INTO orders (id, merchant_id, is_test, source, external_order_id, status, payment_verified, unified_json, rider_id,
                         scheduled_pickup_at, delivery_window_start, delivery_window_end, request_fingerprint, created_at, updated_at)
     SELECT gen_random_uuid(), CASE WHEN n % 10 = 0 THEN gen_random_uuid() ELSE $1::uuid END, n % 7 = 0,
            CASE WHEN n % 3 = 0 THEN 'shop' ELSE 'api' END, 'e-' || n,
            CASE WHEN n % 2 = 0 THEN 'delivered' ELSE 'cancelled' END, n % 3 = 1,
            json_build_object('record', repeat(md5(n::text), 30)), CASE WHEN n % 2 = 1 THEN $2::uuid END,
            now(), now(), now(), '\\x00', now() - interval '1 second' * (${ORDERS} - n), now()
       FROM generate_series(1, ${ORDERS}) AS n`,
    [merchantId, riderId],
  )
  await vacuum(database.ownerUrl, 'orders')
  worker = new pg.Client({ connectionString: database.workerUrl })
  await worker.connect()
  // As where there are so many rows that nobody would read all.
  await worker.query('SET enable_seqscan = off')
})
afterAll(async () => {
  await worker?.end()
  await database?.drop()
})

test.each([
  `rider_id = RIDER AND NOT is_test`,
  `rider_id = RIDER AND NOT is_test AND status = 'cancelled'`,
  `rider_id = RIDER AND NOT is_test AND status = 'unheard of'`,
  `merchant_id = MERCHANT AND status = 'delivered' AND payment_verified`,
  `merchant_id = MERCHANT AND status = 'delivered' AND source = 'shop' AND NOT is_test`,
  `merchant_id = MERCHANT AND source = 'shop' AND payment_verified`,
  `merchant_id = MERCHANT AND status = 'delivered' AND source = 'nobody'`,
  `status = 'unheard of'`,
  `source = 'nobody'`,
  `status = 'delivered' AND source = 'nobody'`,
  `status = 'unheard of' AND payment_verified`,
  `external_order_id = 'e-unheard-of'`,
])('the orders %s are found and counted by an index alone', async (filter) => {
  const matching = filter.replace('MERCHANT', `'${merchantId}'`).replace('RIDER', `'${riderId}'`)
  const all = await explain(worker, 'SELECT count(unified_json::text) FROM orders')
  const count = `SELECT count(*) FROM (SELECT id FROM orders WHERE ${matching} LIMIT 100000) AS capped`
  const page = `SELECT id FROM orders WHERE ${matching} ORDER BY created_at DESC, id DESC LIMIT 50`
  const carriedOut = [await explain(worker, count), await explain(worker, page)]
  expect(carriedOut.filter(({ blocks }) => blocks >= all.blocks / 10)).toEqual([])
})
