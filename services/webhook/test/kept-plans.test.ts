import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type TestDatabase, testDatabase } from '@svc/testing'
import pg from 'pg'
import { migrations } from '../src/db/migrations/index.ts'

/** After five executions Postgres may keep the plan of a statement for all that follow. */
const UNTIL_A_PLAN_IS_KEPT = 10
const ROWS = 5_000
const merchantId = randomUUID()

let database: TestDatabase
let worker: pg.Client
beforeAll(async () => {
  database = await testDatabase('webhook', migrations)
  worker = new pg.Client({ connectionString: database.workerUrl })
  await worker.connect()
})
afterAll(async () => {
  await worker?.end()
  await database?.drop()
})

test('a connection that served an empty event log reads no table whole once the log has grown', async () => {
  await worker.query(
    `INSERT INTO endpoint (merchant_id, url, enabled, secret, events, updated_at)
     VALUES ($1, 'https://shop.example/hooks', true, 'sealed', '{order.created}', now())`,
    [merchantId],
  )
  for (let nth = 0; nth < UNTIL_A_PLAN_IS_KEPT; nth++) await appendClaimAndComplete()
  await grow()

  await worker.query('BEGIN')
  await appendClaimAndComplete()
  const { rows } = await worker.query(
    `SELECT relname AS table, seq_tup_read::int AS rows FROM pg_stat_xact_user_tables WHERE seq_tup_read > 0 ORDER BY 1`,
  )
  await worker.query('COMMIT')
  expect(rows).toEqual([])
})

/** One event goes the way of all: into the log, out by a claim, and back with its answer. */
async function appendClaimAndComplete(): Promise<void> {
  const [orderId, lease, attemptId] = [randomUUID(), randomUUID(), randomUUID()]
  await worker.query('INSERT INTO order_stream (order_id, merchant_id) VALUES ($1, $2)', [orderId, merchantId])
  await worker.query(
    `SELECT append_events(ARRAY[$1::uuid], '{1}', '{1}', ARRAY[$1::uuid], ARRAY[null::uuid], '{1}', ARRAY[$2::uuid], '{f}',
       ARRAY[$3::uuid], '{order.created}', ARRAY['{"event":"order.created"}'], ARRAY[null::text], ARRAY[now()], '{t}')`,
    [orderId, merchantId, randomUUID()],
  )
  const claimed = await worker.query('SELECT id, attempts FROM claim_deliveries($1, 1, 30000, 5, 20, 30000)', [lease])
  expect(claimed.rowCount).toBe(1)
  const completed = await worker.query(
    `SELECT complete_deliveries(ARRAY[$1::uuid], ARRAY[$2::uuid], '{1}', '{succeeded}', '{0}', '{200}', ARRAY[null::text],
       '{https://shop.example/hooks}', ARRAY[$3::uuid], ARRAY[now()], '{5}', ARRAY[null::text], 20, 30000, 50)`,
    [claimed.rows[0].id, lease, attemptId],
  )
  expect(completed.rowCount).toBe(1)
}

/** Rows of other merchants, in every table of the log. */
async function grow(): Promise<void> {
  const rows = `generate_series(1, ${ROWS})`
  for (const insert of [
    `INSERT INTO order_stream (order_id, merchant_id) SELECT gen_random_uuid(), gen_random_uuid() FROM ${rows}`,
    `INSERT INTO endpoint (merchant_id, enabled, events, updated_at) SELECT gen_random_uuid(), false, '{}', now() FROM ${rows}`,
    `INSERT INTO lane (merchant_id, is_test, due_at) SELECT gen_random_uuid(), false, 'infinity' FROM ${rows}`,
    `INSERT INTO delivery (id, merchant_id, is_test, event_id, event, order_id, occurred_at, body, next_attempt_at, created_at, to_live)
     SELECT gen_random_uuid(), gen_random_uuid(), false, gen_random_uuid(), 'order.created', gen_random_uuid(), now(), '', now(), now(), true
       FROM ${rows}`,
    `INSERT INTO queued_delivery (delivery_id, merchant_id, is_test, claimable_at)
     SELECT id, merchant_id, is_test, now() + interval '1 hour' FROM delivery WHERE status = 'pending'`,
  ])
    await database.fill(insert)
}
