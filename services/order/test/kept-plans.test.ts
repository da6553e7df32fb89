import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Database, openDatabase, SettledTotals, Totals } from '@svc/database'
import { explain, type TestDatabase, testDatabase } from '@svc/testing'
import { createReads } from '@svc/transact'
import { LiveTotals } from '../src/db/live-totals.ts'
import { migrations } from '../src/db/migrations/index.ts'
import { pageOfOrders } from '../src/db/read-orders.ts'

const ORDERS = 5_000
const LIMIT = 50
const merchantId = randomUUID()

let database: TestDatabase
let opened: Database
beforeAll(async () => {
  database = await testDatabase('order', migrations)
  const { url, workerUrl } = database
  opened = await openDatabase({ name: 'order', url, workerUrl, migrations, poolSize: 1 })
})
afterAll(async () => {
  await opened?.close()
  await database?.drop()
})

const page = () =>
  pageOfOrders(
    {
      reads: createReads(opened),
      liveTotals: new LiveTotals(ORDERS),
      foundTotals: new SettledTotals(),
      totals: new Totals(ORDERS),
    },
    { merchantId, isTest: false },
    {},
    { limit: LIMIT, offset: 0 },
  )

/** The server's process that serves the one connection: plans are kept by that alone. */
async function serverProcess(): Promise<number> {
  const { rows } = await opened.app.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]!.pid
}

/** What a plan that the connection keeps reads for the newest page, by the statement that it belongs to. */
async function pagesReadByKeptPlans(): Promise<number[]> {
  const session = opened.app
  await session.query(
    `SELECT set_config('app.tenant_id', $1, false), set_config('plan_cache_mode', 'force_generic_plan', false)`,
    [merchantId],
  )
  const { rows: kept } = await session.query(
    `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%listed_record%' ORDER BY prepare_time`,
  )
  const read: number[] = []
  for (const { name } of kept) {
    const values = `'${merchantId}', false, ${LIMIT}, 0`
    read.push((await explain(session, `EXECUTE ${name} (${values})`)).blocks)
  }
  return read
}

test('a connection that listed no orders reads a page of many, and not all of them', async () => {
  expect(await page()).toMatchObject({ orders: [], total: 0 })
  const before = await serverProcess()
  await database.fill(
    `INSERT INTO orders (id, merchant_id, is_test, source, external_order_id, status, payment_verified, unified_json,
                         scheduled_pickup_at, delivery_window_start, delivery_window_end, request_fingerprint, created_at, updated_at)
     SELECT gen_random_uuid(), $1, false, 'api', 'e-' || n, 'pending', false, '{}', now(), now(), now(), '\\x00',
            now() - interval '1 second' * n, now()
       FROM generate_series(1, ${ORDERS}) AS n`,
    [merchantId],
  )
  expect(await page()).toMatchObject({ total: ORDERS })
  expect(await serverProcess()).toBe(before)
  expect(await pagesReadByKeptPlans()).toEqual([expect.any(Number)])
  const [read] = await pagesReadByKeptPlans()
  // Each row is found by its key, which is a few pages deep.
  expect(read).toBeLessThan(10 * LIMIT)
})
