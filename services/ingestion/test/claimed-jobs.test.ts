import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Database, openDatabase } from '@svc/database'
import { createTransact, type Transact } from '@svc/transact'
import { migrations } from '../src/db/migrations/index.ts'
import { type ClaimedJob, claimJobs, firstTurn, nextJobInMs, toldBefore } from '../src/db/normalization-jobs.ts'
import { startIngestion, type TestIngestion } from './start-ingestion.ts'

let ingestion: TestIngestion
let database: Database
let transact: Transact
beforeAll(async () => {
  // Nobody but the tests claims.
  const normalizer = { name: 'normalizer', start: async () => {}, stop: async () => {}, wake: () => {} }
  ingestion = await startIngestion({}, { normalizer })
  const { url, workerUrl } = ingestion.database
  database = await openDatabase({ name: 'ingestion', url, workerUrl, migrations, poolSize: 2 })
  transact = createTransact(database, { wake: () => {} })
})
afterAll(async () => {
  await database.close()
  await ingestion.stop()
})

interface Due {
  merchantId: string
  order?: string
  /** Since when it is due. */
  forSeconds?: number
  leasedForSeconds?: number
}

async function due({ merchantId, order = randomUUID(), forSeconds = 60, leasedForSeconds }: Due): Promise<string> {
  const id = randomUUID()
  await ingestion.sql(
    `INSERT INTO inbound_hooks (id, channel, signer, dedupe_key, headers, body, event, state, attempts, received_at, handed_on_at)
     VALUES ($1, 'storefront-a', 'platform', gen_random_uuid()::text, '{}', '{}', 'orders/create', 'received', 1, now(), now())`,
    [id],
  )
  await ingestion.sql(
    `INSERT INTO normalization_jobs
       (id, channel, merchant_id, external_order_id, status, attempts, next_at, created_at, lease, lease_until)
     VALUES ($1, 'storefront-a', $2, $3, 'pending', 0, now() - make_interval(secs => $4), now(),
             CASE WHEN $5::int IS NOT NULL THEN gen_random_uuid() END, now() + make_interval(secs => $5::int))`,
    [id, merchantId, order, forSeconds, leasedForSeconds ?? null],
  )
  return id
}

const claimed = async (turn: ReturnType<typeof firstTurn>, most = 1) =>
  (await claimJobs(database.worker, turn, { most, leaseSeconds: 60 })) as ClaimedJob[]

const nobodyWaits = () => ingestion.sql('DELETE FROM normalization_jobs')

describe('the next job', () => {
  test('that waits for another of its order is due when the lease of that one ends, not at once', async () => {
    await nobodyWaits()
    const [merchantId, order] = [randomUUID(), randomUUID()]
    await due({ merchantId, order, leasedForSeconds: 3_600 })
    await due({ merchantId, order })
    expect(await nextJobInMs(transact)).toBeGreaterThan(1_800_000)
    await due({ merchantId })
    expect(await nextJobInMs(transact)).toBeLessThan(0)
  })

  test('is due at once where a process died with it, and never where there is none', async () => {
    await nobodyWaits()
    expect(await nextJobInMs(transact)).toBeNull()
    await due({ merchantId: randomUUID(), leasedForSeconds: -30 })
    expect(await nextJobInMs(transact)).toBeLessThan(0)
  })
})

test('merchants take turns: whoever has sent much waits behind itself alone', async () => {
  await nobodyWaits()
  const [flooding, other] = [randomUUID(), randomUUID()]
  for (let seconds = 310; seconds > 300; seconds -= 1) await due({ merchantId: flooding, forSeconds: seconds })
  const older = await due({ merchantId: other, forSeconds: 60 })
  const newer = await due({ merchantId: other, forSeconds: 30 })
  const turn = firstTurn()
  const taken: Array<{ id: string; merchantId: string }> = []
  for (let claims = 0; claims < 12; claims += 1) taken.push(...(await claimed(turn)))
  const places = taken.flatMap(({ merchantId }, index) => (merchantId === other ? [index] : []))
  expect(taken.filter(({ merchantId }) => merchantId === other).map(({ id }) => id)).toEqual([older, newer])
  expect(places.at(-1)).toBeLessThan(4)
  expect(await claimed(turn)).toEqual([])
})

test('what waits for another of its order holds up neither another merchant nor another order', async () => {
  await nobodyWaits()
  const [merchantId, order] = [randomUUID(), randomUUID()]
  await due({ merchantId, order, leasedForSeconds: 3_600 })
  await due({ merchantId, order })
  const free = await due({ merchantId, forSeconds: 1 })
  const turn = firstTurn()
  expect(await claimed(turn, 8)).toMatchObject([{ id: free }])
  expect(await claimed(turn, 8)).toEqual([])
})

test('what is taken together is shared by the merchants that wait, and what one leaves goes to nobody twice', async () => {
  await nobodyWaits()
  const [flooding, other] = [randomUUID(), randomUUID()]
  const mine = [await due({ merchantId: other, forSeconds: 9 }), await due({ merchantId: other, forSeconds: 5 })]
  for (let seconds = 320; seconds > 300; seconds -= 1) await due({ merchantId: flooding, forSeconds: seconds })
  const turn = firstTurn()
  const [first, second] = [await claimed(turn, 8), await claimed(turn, 8)]
  expect(
    first
      .filter(({ merchantId }) => merchantId === other)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(mine.toSorted())
  expect(first).toHaveLength(6)
  expect(second).toHaveLength(8)
  const all = [...first, ...second]
  expect(new Set(all.map(({ id }) => id)).size).toBe(14)
  expect(new Set(all.map(({ lease }) => lease)).size).toBe(14)
})

test('of one order one job is taken at a time, the oldest, and its next one when that has ended', async () => {
  await nobodyWaits()
  const [merchantId, order] = [randomUUID(), randomUUID()]
  await due({ merchantId, order, forSeconds: 10 })
  const oldest = await due({ merchantId, order, forSeconds: 30 })
  await due({ merchantId, order, forSeconds: 20 })
  const alone = await due({ merchantId, forSeconds: 1 })
  const turn = firstTurn()
  const ids = (await claimed(turn, 8)).map(({ id }) => id)
  expect(ids.toSorted()).toEqual([oldest, alone].toSorted())
  expect(await claimed(turn, 8)).toEqual([])
})

test('what was told of an order before is known by the newest alone, however many hooks have told of it', async () => {
  await nobodyWaits()
  const [merchantId, channel, externalOrderId, id] = [randomUUID(), 'storefront-a', randomUUID(), randomUUID()]
  await ingestion.sql(
    `WITH told AS (SELECT gen_random_uuid() AS id, n FROM generate_series(1, 3000) n),
          hooks AS (
            INSERT INTO inbound_hooks (id, channel, signer, dedupe_key, headers, body, event, state, attempts, received_at)
            SELECT id, $2, 'platform', id::text, '{}', '{}', 'orders/updated', 'applied', 1, now() FROM told RETURNING id)
     INSERT INTO normalization_jobs
       (id, channel, merchant_id, external_order_id, status, attempts, next_at, created_at, resolved_at, outcome, told_at)
     SELECT told.id, $2, $1, $3, 'succeeded', 1, now(), now(), now(), CASE WHEN n % 1000 = 0 THEN 'cancel' ELSE 'update' END,
            to_timestamp(n) FROM told JOIN hooks USING (id)`,
    [merchantId, channel, externalOrderId],
  )
  const { text, params = [] } = toldBefore({ id, channel, merchantId, externalOrderId })
  const values = [...params]
  const [told] = await ingestion.sql<{ newestAt: Date; cancelledAt: Date }>(text, values)
  expect([told!.newestAt, told!.cancelledAt].map(Number)).toEqual([3_000_000, 3_000_000])
  const [explained] = await ingestion.sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  )
  expect(mostRows(explained!['QUERY PLAN'][0].Plan)).toBeLessThan(5)
})

interface Plan {
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const mostRows = (plan: Plan): number =>
  Math.max(plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0), ...(plan.Plans ?? []).map(mostRows))
