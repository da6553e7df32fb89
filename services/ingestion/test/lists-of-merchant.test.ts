import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { explaining, vacuum } from '@svc/testing'
import { listDeadLetters } from '../src/db/dead-letters.ts'
import { listJobs } from '../src/db/normalization-jobs.ts'
import { startIngestion, type TestIngestion } from './start-ingestion.ts'

let ingestion: TestIngestion
const merchantId = randomUUID()
const page = { limit: 20, offset: 0 }

beforeAll(async () => {
  ingestion = await startIngestion()
  // What is looked for is the oldest of its merchant, and older than that of all others.
  await fill(merchantId, 30, { daysAgo: 3, isOpen: true })
  for (let n = 0; n < 5; n++) await fill(merchantId, 4_000, { daysAgo: 2, isOpen: false })
  const other = randomUUID()
  for (let n = 0; n < 5; n++) await fill(other, 4_000, { daysAgo: 1, isOpen: true })
  await vacuum(ingestion.database.ownerUrl, 'inbound_hooks', 'normalization_jobs')
})
afterAll(() => ingestion?.stop())

/** Dead letters whose jobs have failed, or that came to something later. */
const fill = (of: string, count: number, { daysAgo, isOpen }: { daysAgo: number; isOpen: boolean }) =>
  ingestion.sql(
    `WITH hooks AS (
       INSERT INTO inbound_hooks (id, channel, signer, dedupe_key, merchant_id, headers, body, event, state, attempts,
                                  received_at, dead_at, resolved_at)
       SELECT gen_random_uuid(), 'storefront-a', 'platform', gen_random_uuid(), $1, '{}', '', 'orders/create',
              CASE WHEN $4 THEN 'dead' ELSE 'applied' END::hook_state, 1, at, at, CASE WHEN NOT $4 THEN at END
         FROM generate_series(1, $2::int) n, LATERAL (SELECT now() - $3 * interval '1 day' + n * interval '1 ms' AS at) made
       RETURNING id, merchant_id, received_at, resolved_at)
     INSERT INTO normalization_jobs (id, channel, merchant_id, status, attempts, next_at, created_at, resolved_at)
     SELECT id, 'storefront-a', merchant_id, CASE WHEN $4 THEN 'failed' ELSE 'succeeded' END::normalization_status, 1,
            received_at, received_at, resolved_at FROM hooks`,
    [of, count, daysAgo, isOpen],
  )

test('jobs of one merchant in one state, and its open dead letters, cost what their page costs, however many others there are', async () => {
  const { query, carriedOut } = explaining(ingestion.service.context.database.worker)
  const failed = await listJobs(query, { merchantId, status: 'failed' }, page)
  const open = await listDeadLetters(query, { merchantId, includeResolved: false }, page)
  for (const { items, total } of [failed, open]) expect([items.length, total]).toEqual([20, 30])
  expect(carriedOut).toHaveLength(4)
  // The page of dead letters reads the job of each, the others four or five blocks.
  expect(carriedOut.filter(({ blocks }) => blocks >= 100)).toEqual([])
})
