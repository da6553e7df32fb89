import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Database, openDatabase, SettledTotals, Totals } from '@svc/database'
import { countedReads, type TestDatabase, testDatabase, whateverSessionsDo } from '@svc/testing'
import { createReads } from '@svc/transact'
import fc from 'fast-check'
import pg from 'pg'
import { column } from '../src/db/functions/create-order.sql.ts'
import { LiveTotals } from '../src/db/live-totals.ts'
import { migrations } from '../src/db/migrations/index.ts'
import { pageOfOrders } from '../src/db/read-orders.ts'

const SESSIONS = 3
const ORDERS = 12
const RIDER = randomUUID()

let database: TestDatabase
let opened: Database
let sessions: pg.Client[]
beforeAll(async () => {
  database = await testDatabase('order', migrations)
  const { url, workerUrl } = database
  opened = await openDatabase({ name: 'order', url, workerUrl, migrations, poolSize: 4 })
  sessions = Array.from({ length: SESSIONS }, () => new pg.Client({ connectionString: workerUrl }))
  for (const session of sessions) await session.connect()
})
afterAll(async () => {
  for (const session of sessions ?? []) await session.end()
  await opened?.close()
  await database?.drop()
})

interface Row {
  merchantId: string
  n: number
  age: string
  isTest: boolean
}

const add = (session: pg.Client, { merchantId, n, age, isTest }: Row) =>
  session.query(
    `INSERT INTO orders (id, merchant_id, is_test, source, external_order_id, status, payment_verified, unified_json,
                         scheduled_pickup_at, delivery_window_start, delivery_window_end, request_fingerprint, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, $5, CASE WHEN $2 % 2 = 0 THEN 'shop' ELSE 'api' END, 'e-' || $2, 'pending', false, '{}',
             now(), now(), now(), '\\x00', now() - $3::interval - $2 * $4::interval, now())`,
    [merchantId, n, age, '1 microsecond', isTest],
  )

const FILTERS = [
  { status: 'pending' },
  { status: 'delivered' },
  { source: 'shop', status: 'delivered' },
  { paymentVerified: true },
  { status: 'pending', paymentVerified: true },
  { riderId: RIDER },
  { externalOrderId: 'e-3' },
  { status: 'delivered', isTest: false },
  { status: 'delivered', isTest: true },
]

/** What a process remembers of what it counted. */
const memory = (limit = 10_000) => ({
  liveTotals: new LiveTotals(limit),
  foundTotals: new SettledTotals(),
  totals: new Totals(limit),
})

/** Lists of one merchant, or of all. */
function listed(merchantId: string | undefined, totals = memory()) {
  return async (filter: object, scope: 'every tenant' | { merchantId: string; isTest: boolean | null }) => {
    const of = scope === 'every tenant' ? { merchantId, ...filter } : filter
    const page = { limit: 1, offset: 0 }
    const { total } = await pageOfOrders({ reads: createReads(opened), ...totals }, scope, of, page)
    return total
  }
}

/** The same, counted row by row. */
async function counted(filter: object, isTest: boolean | null): Promise<number> {
  const stated = Object.entries({ ...filter, ...(isTest !== null && { scope: isTest }) })
  const columnOf = (name: string) => (name === 'scope' ? 'is_test' : column(name))
  const { rows } = await opened.worker.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM orders WHERE ${stated.map(([name], i) => `${columnOf(name)} = $${i + 1}`).join(' AND ')}`,
    stated.map(([, value]) => value),
  )
  return rows[0]!.count
}

const CHANGES = fc.constantFrom(
  "status = 'delivered'",
  "status = 'pending'",
  'payment_verified = NOT payment_verified',
  `rider_id = CASE WHEN rider_id IS NULL THEN '${RIDER}'::uuid END`,
  "status = 'delivered', payment_verified = true",
  'updated_at = now()',
)

test('totals that add to what was counted before are those of all rows, whatever was open, late or undone meanwhile', async () => {
  await whateverSessionsDo<string>({
    workerUrl: database.workerUrl,
    rows: ORDERS,
    changes: CHANGES,
    async begin(first) {
      const merchantId = randomUUID()
      let created = 0
      // Old ones, ones about to be old, and new ones.
      for (const age of ['3 days', '1 day 6 minutes', '1 day', '1 minute'])
        for (let i = 0; i < ORDERS / 4; i++)
          await add(first, { merchantId, n: created++, age, isTest: i === 2 && age === '3 days' })
      const totals = memory()
      const list = listed(merchantId, totals)
      const check = async (filter: object) => {
        for (const isTest of [false, null, true]) {
          const total = await list(filter, { merchantId, isTest })
          expect([filter, isTest, total]).toEqual([filter, isTest, await counted({ merchantId, ...filter }, isTest)])
        }
        expect(await list(filter, 'every tenant')).toBe(await counted({ merchantId, ...filter }, null))
        const ofRider = { ...filter, riderId: RIDER }
        expect(await listed(undefined, totals)(ofRider, 'every tenant')).toBe(await counted(ofRider, null))
        expect(await listed(undefined, totals)(filter, 'every tenant')).toBe(await counted(filter, null))
      }
      return {
        add: (session) => add(session, { merchantId, n: created, age: '0', isTest: created++ % 2 === 0 }),
        change: (session, n, set) =>
          session.query(`UPDATE orders SET ${set} WHERE merchant_id = $1 AND external_order_id = $2`, [
            merchantId,
            `e-${n}`,
          ]),
        async look(nth) {
          for (const filter of nth === undefined ? FILTERS : [FILTERS[nth % FILTERS.length]!]) await check(filter)
        },
      }
    },
  })
})

test('and so they are after writers and readers who knew nothing of each other', async () => {
  const merchantId = randomUUID()
  const count = 200
  for (let n = 0; n < count; n++)
    await add(sessions[0]!, { merchantId, n, age: n % 2 ? '2 days' : '1 hour', isTest: false })
  const list = listed(merchantId)
  const scope = { merchantId, isTest: false }
  for (let round = 0; round < 5; round++) {
    let writing = sessions.length
    const write = async (writer: pg.Client, seed: number) => {
      for (let i = 0; i < 60; i++) {
        const n = (seed * 7_919 + i * 31 + round) % count
        await writer.query('BEGIN')
        await writer.query(
          `UPDATE orders SET status = CASE WHEN status = 'pending' THEN 'delivered' ELSE 'pending' END,
                  payment_verified = NOT payment_verified WHERE merchant_id = $1 AND external_order_id = $2`,
          [merchantId, `e-${n}`],
        )
        await writer.query(i % 5 === 0 ? 'ROLLBACK' : 'COMMIT')
      }
      writing--
    }
    const read = async () => {
      while (writing > 0) for (const filter of FILTERS.slice(0, 5)) await list(filter, scope)
    }
    await Promise.all([...sessions.map(write), read(), read()])
    for (const filter of FILTERS.slice(0, 5))
      expect([filter, await list(filter, scope)]).toEqual([filter, await counted({ merchantId, ...filter }, false)])
  }
  const { rows } = await opened.worker.query('SELECT count(*)::int AS noted FROM late_changes WHERE merchant_id = $1', [
    merchantId,
  ])
  expect(rows[0].noted).toBeGreaterThan(0)
})

test('an old order is counted once, not each time', async () => {
  const merchantId = randomUUID()
  for (let n = 0; n < 40; n++)
    await add(sessions[0]!, { merchantId, n, age: n < 36 ? '2 days' : '1 hour', isTest: false })
  const { counts, ...database } = countedReads(opened)
  const reads = createReads(database)
  const totals = memory()
  for (let time = 0; time < 2; time++) {
    const page = { limit: 1, offset: 0 }
    const { total } = await pageOfOrders(
      { reads, ...totals },
      { merchantId, isTest: false },
      { status: 'pending' },
      page,
    )
    expect(total).toBe(40)
  }
  expect(counts).toEqual([40, 4])
})
