import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Database, openDatabase, SettledTotals, Totals } from '@svc/database'
import { sweep } from '@svc/lifecycle'
import { type TestDatabase, testDatabase } from '@svc/testing'
import { createReads } from '@svc/transact'
import fc from 'fast-check'
import pg from 'pg'
import { type DeliveryFilter, listDeliveries } from '../src/db/deliveries.ts'
import { forgotten } from '../src/db/forget.ts'
import { migrations } from '../src/db/migrations/index.ts'
import { settledDeliveries } from '../src/db/settled-deliveries.ts'

const RUNS = Number(process.env['TOTALS_RUNS'] ?? 40)
const SESSIONS = 3
const DAY_MS = 86_400_000

let database: TestDatabase
let opened: Database
let sessions: pg.Client[]
beforeAll(async () => {
  database = await testDatabase('webhook', migrations)
  const { url, workerUrl } = database
  opened = await openDatabase({ name: 'webhook', url, workerUrl, migrations, poolSize: 4 })
  sessions = Array.from({ length: SESSIONS }, () => new pg.Client({ connectionString: workerUrl }))
  for (const session of sessions) await session.connect()
})
afterAll(async () => {
  for (const session of sessions ?? []) await session.end()
  await opened?.close()
  await database?.drop()
})

/** Deliveries of a merchant that came so long ago, numbered on; each third one is of the sandbox. */
const add = (merchantId: string, from: number, count: number, age: string, session: pg.Client = sessions[0]!) =>
  session.query(
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
function memory() {
  const [totals, settledTotals] = [new Totals(), new SettledTotals()]
  return async (merchantId: string, isTest: boolean | null, filter: DeliveryFilter) => {
    const page = { limit: 1, offset: 0 }
    const reads = createReads(opened)
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

const session = fc.nat({ max: SESSIONS - 1 })
const BORN = ['40 days', '1 day 23:59:59', '1 day 00:06:00', '1 day', '1 minute']
const EACH = 3
const act = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('succeed' as const, 'die' as const, 'remove' as const),
      session,
      n: fc.nat({ max: BORN.length * EACH - 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('come' as const), session }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('BEGIN', 'COMMIT', 'ROLLBACK'), session }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('list' as const) }) },
)
const CHANGES = {
  succeed: `UPDATE delivery SET status = 'succeeded'`,
  die: `UPDATE delivery SET status = 'dead'`,
  remove: 'DELETE FROM delivery',
} as const

test('totals that add to what was counted before are those of all rows, whatever ended, was asked for again or is open', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 15, maxLength: 40 }), async (acts) => {
      const merchantId = randomUUID()
      const list = memory()
      for (const [i, age] of BORN.entries()) await add(merchantId, i * EACH, EACH, age)
      let born = BORN.length * EACH
      const open = new Set<number>()
      const held = new Map<number, number>()
      const check = async () => {
        for (const filter of FILTERS)
          for (const isTest of ENVIRONMENTS)
            expect([filter, isTest, await list(merchantId, isTest, filter)]).toEqual([
              filter,
              isTest,
              await counted(merchantId, isTest, filter),
            ])
      }
      try {
        for (const one of acts) {
          if (one.do === 'list') await check()
          else if (one.do === 'come') await add(merchantId, born++, 1, '0', sessions[one.session])
          else if ('n' in one) {
            // A row that another transaction holds would be waited for.
            const by = held.get(one.n)
            if (by !== undefined && by !== one.session) continue
            const text = `${CHANGES[one.do as keyof typeof CHANGES]} WHERE merchant_id = $1 AND last_status_code = $2`
            await sessions[one.session]!.query(text, [merchantId, one.n])
            if (open.has(one.session)) held.set(one.n, one.session)
          } else if (one.do === 'BEGIN') {
            if (!open.has(one.session)) await sessions[one.session]!.query('BEGIN')
            open.add(one.session)
          } else if (open.delete(one.session)) {
            await sessions[one.session]!.query(one.do)
            for (const [n, by] of held) if (by === one.session) held.delete(n)
          }
        }
        await check()
      } finally {
        for (const at of open) await sessions[at]!.query('ROLLBACK')
      }
    }),
    { numRuns: RUNS },
  )
})

test('an old delivery is counted once, not each time', async () => {
  const merchantId = randomUUID()
  await add(merchantId, 0, 36, '2 days')
  await add(merchantId, 36, 4, '1 hour')
  const settledTotals = new SettledTotals()
  const dead = settledDeliveries({ merchant_id: merchantId, status: 'dead' })
  const ask = async () => {
    const counting = settledTotals.of(dead)(1_000)
    const rows = await createReads(opened).together({ merchantId, isTest: null }, counting.statements)
    const [row] = rows[0] as Array<{ since: number }>
    return [row!.since, counting.total(row)]
  }
  expect(await ask()).toEqual([40, 40])
  expect(await ask()).toEqual([4, 40])
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
