import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Database, openDatabase, SettledTotals, Totals } from '@svc/database'
import { sweep } from '@svc/lifecycle'
import { countedReads, type TestDatabase, testDatabase, whateverSessionsDo } from '@svc/testing'
import { createReads } from '@svc/transact'
import fc from 'fast-check'
import type pg from 'pg'
import { type DeliveryFilter, listDeliveries } from '../src/db/deliveries.ts'
import { forgotten } from '../src/db/forget.ts'
import { migrations } from '../src/db/migrations/index.ts'

const DAY_MS = 86_400_000

let database: TestDatabase
let opened: Database
beforeAll(async () => {
  database = await testDatabase('webhook', migrations)
  const { url, workerUrl } = database
  opened = await openDatabase({ name: 'webhook', url, workerUrl, migrations, poolSize: 4 })
})
afterAll(async () => {
  await opened?.close()
  await database?.drop()
})

/** Deliveries of a merchant that came so long ago, numbered on; each third one is of the sandbox. */
const add = (merchantId: string, from: number, count: number, age: string, by: pg.Client | pg.Pool = opened.worker) =>
  by.query(
    `INSERT INTO delivery (id, merchant_id, is_test, event_id, event, occurred_at, body, status, created_at, last_status_code)
     SELECT gen_random_uuid(), $1, n % 3 = 0, gen_random_uuid(),
            CASE WHEN n % 2 = 0 THEN 'order.created' ELSE 'order.delivered' END, now(), '', 'dead', now() - $4::interval, n
       FROM generate_series($2::int, $2::int + $3 - 1) n`,
    [merchantId, from, count, age],
  )

const FILTERS: readonly DeliveryFilter[] = [
  {},
  { status: 'dead' },
  { status: 'succeeded' },
  { event: 'order.created' },
  { status: 'dead', event: 'order.created' },
]
const ENVIRONMENTS = [false, true, null]

/** Lists as a process does that remembers what it counted. */
function memory(database: Parameters<typeof createReads>[0] = opened) {
  const [totals, settledTotals] = [new Totals(), new SettledTotals()]
  return async (merchantId: string, isTest: boolean | null, filter: DeliveryFilter) => {
    const page = { limit: 1, offset: 0 }
    const reads = createReads(database)
    return (await listDeliveries({ reads, totals, settledTotals }, { merchantId, isTest }, filter, page)).total
  }
}

/** The same, counted row by row. */
async function counted(merchantId: string, isTest: boolean | null, { status, event }: DeliveryFilter): Promise<number> {
  const { rows } = await opened.worker.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM delivery WHERE merchant_id = $1 AND is_test = coalesce($2, is_test)
        AND status = coalesce($3, status) AND event = coalesce($4, event)`,
    [merchantId, isTest, status, event],
  )
  return rows[0]!.count
}

const BORN = ['40 days', '1 day 23:59:59', '1 day 00:06:00', '1 day', '1 minute']
const EACH = 3
const CHANGES = fc.constantFrom(
  `UPDATE delivery SET status = 'succeeded'`,
  `UPDATE delivery SET status = 'dead'`,
  'DELETE FROM delivery',
)

test('totals that add to what was counted before are those of all rows, whatever ended, was asked for again or is open', async () => {
  await whateverSessionsDo<string>({
    workerUrl: database.workerUrl,
    rows: BORN.length * EACH,
    changes: CHANGES,
    async begin(first) {
      const merchantId = randomUUID()
      const list = memory()
      for (const [i, age] of BORN.entries()) await add(merchantId, i * EACH, EACH, age, first)
      let born = BORN.length * EACH
      return {
        add: (session) => add(merchantId, born++, 1, '0', session),
        change: (session, n, change) =>
          session.query(`${change} WHERE merchant_id = $1 AND last_status_code = $2`, [merchantId, n]),
        async look() {
          for (const filter of FILTERS)
            for (const isTest of ENVIRONMENTS)
              expect([filter, isTest, await list(merchantId, isTest, filter)]).toEqual([
                filter,
                isTest,
                await counted(merchantId, isTest, filter),
              ])
        },
      }
    },
  })
})

test('an old delivery is counted once, not each time', async () => {
  const merchantId = randomUUID()
  await add(merchantId, 0, 36, '2 days')
  await add(merchantId, 36, 4, '1 hour')
  const { counts, ...reads } = countedReads(opened)
  const list = memory(reads)
  for (let time = 0; time < 2; time++) expect(await list(merchantId, null, { status: 'dead' })).toBe(40)
  expect(counts).toEqual([40, 4])
})

test('what a sweep removes is noted together, and read by its merchant alone', async () => {
  const [merchantId, other] = [randomUUID(), randomUUID()]
  const list = memory()
  await add(merchantId, 0, 600, '31 days')
  await add(merchantId, 600, 60, '3 days')
  await add(other, 0, 60, '3 days')
  expect(await list(merchantId, null, { status: 'dead' })).toBe(660)
  expect(await list(other, null, { status: 'dead' })).toBe(60)
  await sweep(opened.worker, forgotten(30 * DAY_MS))
  expect(await list(merchantId, null, { status: 'dead' })).toBe(60)
  expect(await list(merchantId, false, { event: 'order.created' })).toBe(20)
  expect(await list(other, null, { status: 'dead' })).toBe(60)
  const { rows } = await opened.worker.query(
    `SELECT count(*)::int AS notes, sum(more)::int AS more FROM late_changes WHERE merchant_id = $1`,
    [merchantId],
  )
  // Two events in two environments.
  expect(rows).toEqual([{ notes: 4, more: -600 }])
})
