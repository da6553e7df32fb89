import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Database } from '@svc/database'
import { type Caller, systemBy } from '@svc/grpc'
import { sweep } from '@svc/lifecycle'
import { renderMetrics } from '@svc/telemetry'
import { eventually, merchantCaller, type Receiver, receiver, vacuum, waitingFor } from '@svc/testing'
import pg from 'pg'
import type { Config } from '../src/config.ts'
import { EXPIRY_BATCH, expireDeliveries } from '../src/db/expire.ts'
import { forgotten } from '../src/db/forget.ts'
import { countBacklog } from '../src/db/queue.ts'
import { disableSilentEndpoints } from '../src/use-cases/disable-silent-endpoints.ts'
import { expiry } from '../src/workers/expiry.ts'
import { observeBacklog } from '../src/workers/observe-backlog.ts'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

const RETENTION_MS = 30 * 86_400_000

let service: TestWebhook
let database: Database
let target: Receiver
beforeAll(async () => {
  service = await startWebhook()
  database = service.context.database
  target = await receiver()
})
afterAll(async () => {
  await service?.stop()
  await target?.close()
})

test('a delivery that is pending when its event leaves the log is dead, can be retried, and waits no more', async () => {
  const caller = merchantCaller()
  const merchantId = caller.merchantId as string
  target.respond(() => ({ status: 500 }))
  await service.patch(caller, { url: target.url, enabled: true })
  const [old, young] = [randomUUID(), randomUUID()]
  await service.announce({ merchantId, orderId: old }, { merchantId, orderId: young })
  const of = async (orderId: string) =>
    (await service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0, order_id: orderId })).items[0]
  await eventually(async () => (await of(old))?.attempts === 1 && (await of(young))?.attempts === 1)
  await service.sql("UPDATE delivery SET created_at = created_at - interval '31 days' WHERE order_id = $1", [old])

  expect(await expireDeliveries(database, RETENTION_MS)).toBe(1)
  expect(await of(old)).toMatchObject({ status: 'dead', last_error: 'expired', next_attempt_at: undefined })
  expect(await of(young)).toMatchObject({ status: 'pending', attempts: 1 })
  expect(await countBacklog(database)).toMatchObject({ due: 0, scheduled: 1 })
  expect(await expireDeliveries(database, RETENTION_MS)).toBe(0)
  await sweep(database.worker, forgotten(RETENTION_MS))
  expect(await of(old)).toMatchObject({ status: 'dead' })

  const retry = async () => service.delivery.as(caller).retryDelivery({ id: (await of(old))?.id ?? '' })
  await retry()
  await eventually(async () => (await of(old))?.attempts === 1)
  expect(await expireDeliveries(database, RETENTION_MS)).toBe(0)

  target.respond(() => ({ status: 200 }))
  await retry()
  await eventually(async () => (await of(old))?.status === 'succeeded')
  await sweep(database.worker, forgotten(RETENTION_MS))
  expect(await of(old)).toBeUndefined()
})

test('a delivery that is leased while it would end goes on, and ends once it is not', async () => {
  const id = randomUUID()
  await service.sql(
    `WITH made AS (
       INSERT INTO delivery (id, merchant_id, is_test, event_id, event, occurred_at, body, created_at, next_attempt_at)
       VALUES ($1, $2, false, gen_random_uuid(), 'order.created', app_now(), '', app_now() - interval '31 days', app_now()))
     INSERT INTO queued_delivery (delivery_id, merchant_id, is_test, claimable_at) VALUES ($1, $2, false, app_now())`,
    [id, randomUUID()],
  )
  const statusOf = async () => (await service.sql('SELECT status FROM delivery WHERE id = $1', [id]))[0]
  const claiming = new pg.Client({ connectionString: service.database.workerUrl })
  await claiming.connect()
  try {
    await claiming.query('BEGIN')
    await claiming.query(
      `UPDATE queued_delivery SET lease = gen_random_uuid(), lease_until = app_now() + interval '30 seconds'
        WHERE delivery_id = $1`,
      [id],
    )
    const expiring = expireDeliveries(database, RETENTION_MS)
    await eventually(async () => (await waitingFor(claiming)) === 1)
    await claiming.query('COMMIT')
    expect(await expiring).toBe(0)
  } finally {
    await claiming.end()
  }
  expect(await statusOf()).toEqual({ status: 'pending' })
  await service.sql('UPDATE queued_delivery SET lease = NULL, lease_until = NULL WHERE delivery_id = $1', [id])
  expect(await expireDeliveries(database, RETENTION_MS)).toBe(1)
  expect(await statusOf()).toEqual({ status: 'dead' })
})

test('a delivery that an earlier release ended by its age is kept for as long again; one that it queued again stays', async () => {
  const [ended, queued] = [randomUUID(), randomUUID()]
  await service.sql(
    `INSERT INTO delivery (id, merchant_id, is_test, event_id, event, occurred_at, body, status, last_error, created_at,
                           next_attempt_at, expired_at)
     SELECT id, gen_random_uuid(), false, gen_random_uuid(), 'order.created', app_now(), '', status, 'expired',
            app_now() - interval '90 days', CASE status WHEN 'pending' THEN app_now() END, expired_at
       FROM (VALUES ($1::uuid, 'dead', NULL), ($2, 'pending', app_now() - interval '31 days')) t (id, status, expired_at)`,
    [ended, queued],
  )
  const stays = async () => {
    const rows = await service.sql<{ id: string }>('SELECT id FROM delivery WHERE id IN ($1, $2)', [ended, queued])
    return new Set(rows.map(({ id }) => id))
  }
  await sweep(database.worker, forgotten(RETENTION_MS))
  expect(await stays()).toEqual(new Set([ended, queued]))

  const worker = expiry(service.context)
  await worker.start?.()
  await eventually(async () => {
    const dated = await service.sql('SELECT 1 FROM delivery WHERE id = $1 AND expired_at IS NOT NULL', [ended])
    return dated.length === 1
  })
  await worker.stop?.()
  await service.sql(`UPDATE delivery SET expired_at = expired_at - interval '29 days' WHERE id = $1`, [ended])
  await sweep(database.worker, forgotten(RETENTION_MS))
  expect(await stays()).toContain(ended)
  await service.sql(`UPDATE delivery SET expired_at = expired_at - interval '2 days' WHERE id = $1`, [ended])
  await sweep(database.worker, forgotten(RETENTION_MS))
  expect(await stays()).not.toContain(ended)
})

test('the backlog tells what is due from what a breaker holds and what a disabled endpoint keeps', async () => {
  const [held, disabled, due] = [randomUUID(), randomUUID(), randomUUID()]
  await service.sql('DELETE FROM queued_delivery')
  await service.sql(
    `INSERT INTO endpoint (merchant_id, url, enabled, secret, events)
     SELECT id, 'https://a.example/', id <> $2, 's', '{}' FROM unnest(ARRAY[$1, $2, $3]::uuid[]) id`,
    [held, disabled, due],
  )
  await service.sql(
    `INSERT INTO lane (merchant_id, is_test, due_at, open_until)
     SELECT id, false, 'infinity', CASE id WHEN $1 THEN app_now() + interval '1 hour' END FROM unnest(ARRAY[$1, $2, $3]::uuid[]) id`,
    [held, disabled, due],
  )
  await service.sql(
    `INSERT INTO queued_delivery (delivery_id, merchant_id, is_test, claimable_at)
     SELECT gen_random_uuid(), id, false, app_now() FROM unnest(ARRAY[$1, $2, $2, $3, $3, $3]::uuid[]) id`,
    [held, disabled, due],
  )
  expect(await countBacklog(database)).toEqual({ in_flight: 0, due: 3, held: 1, disabled: 2, scheduled: 0 })
})

test('however many look at the backlog within a minute, it is counted once', async () => {
  const { worker } = database
  let counted = 0
  const counting = {
    async query(text: string) {
      if (text.includes('FROM queued_delivery')) counted += 1
      return worker.query(text)
    },
  }
  const observer = observeBacklog({ worker: counting } as unknown as Database)
  await observer.start?.()
  try {
    const seen = await Promise.all([renderMetrics(), renderMetrics()])
    seen.push(await renderMetrics())
    for (const text of seen) expect(text).toContain('webhook_backlog{state="due"}')
    expect(counted).toBe(1)
  } finally {
    await observer.stop?.()
  }
})

test('an endpoint without a success for 14 days is disabled once, and its owner is told; enabled, it starts anew', async () => {
  const ctx = {
    database,
    config: { webhookDisableAfterDays: 14 } as Config,
    transact: service.context.transact,
  }
  const sweep = () => disableSilentEndpoints(ctx, systemBy('webhook'))
  const endpointOf = async (by: Caller) => (await service.webhook.as(by).getOutboundWebhook({})).webhook
  const [silent, young, quiet] = [0, 1, 2].map(() => merchantCaller()) as [Caller, Caller, Caller]
  for (const [caller, days, failures] of [
    [silent, 15, 30],
    [young, 13, 30],
    [quiet, 15, 3],
  ] as const) {
    await service.patch({ ...caller, isTest: null }, { url: target.url, enabled: true })
    await service.patch(caller, { url: target.url, enabled: true })
    await service.sql(
      `INSERT INTO lane (merchant_id, is_test, due_at, consecutive_failures, failing_since)
       VALUES ($1, true, 'infinity', $2, app_now() - $3 * interval '1 day')`,
      [caller.merchantId, failures, days],
    )
  }
  await sweep()
  await sweep()
  expect(await endpointOf(silent)).toMatchObject({ enabled: false, disabled_reason: 'no_success_for_14_days' })
  for (const other of [young, quiet, { ...silent, isTest: null }]) {
    expect(await endpointOf(other)).toMatchObject({ enabled: true, disabled_reason: undefined })
  }
  const told = await service.sql(
    `SELECT (SELECT count(*) FROM alert WHERE merchant_id = $1 AND kind = 'endpoint_disabled') AS mails,
            (SELECT count(*) FROM outbox WHERE merchant_id = $1 AND position('webhook_disabled' in encode(payload, 'escape')) > 0)
              AS audits`,
    [silent.merchantId],
  )
  expect(told).toEqual([{ mails: '1', audits: '1' }])
  await service.patch(silent, { enabled: true })
  await sweep()
  expect(await endpointOf(silent)).toMatchObject({ enabled: true, disabled_reason: undefined })
})

test('an endpoint fails since its first failure after a success', async () => {
  const caller = merchantCaller()
  const merchantId = caller.merchantId as string
  const fails = async () => {
    const [lane] = await service.sql<{ since: Date | null }>(
      'SELECT failing_since AS since FROM lane WHERE merchant_id = $1',
      [merchantId],
    )
    return lane?.since !== null && lane?.since !== undefined
  }
  target.respond(() => ({ status: 500 }))
  await service.patch(caller, { url: target.url, enabled: true })
  await service.announce({ merchantId })
  await eventually(fails)
  target.respond(() => ({ status: 200 }))
  await service.announce({ merchantId })
  await eventually(async () => !(await fails()))
})

test('a batch says how many deliveries it ended, whether they were in the queue or not', async () => {
  await service.sql(
    `INSERT INTO delivery (id, merchant_id, is_test, event_id, event, occurred_at, body, created_at, next_attempt_at)
     SELECT gen_random_uuid(), gen_random_uuid(), false, gen_random_uuid(), 'order.created', now(), '',
            now() - interval '40 days', now() FROM generate_series(1, 3)`,
  )
  expect(await expireDeliveries(database, RETENTION_MS)).toBe(3)
})

test('of many deliveries that are over, a batch reads as many as it ends', async () => {
  await service.sql(
    `INSERT INTO delivery (id, merchant_id, is_test, event_id, event, occurred_at, body, created_at, next_attempt_at)
     SELECT gen_random_uuid(), gen_random_uuid(), false, gen_random_uuid(), 'order.created', now(), '',
            now() - interval '40 days' - n * interval '1 second', now()
       FROM generate_series(1, 20000) n`,
  )
  await vacuum(service.database.ownerUrl, 'delivery')
  let plan: Plan | undefined
  const explaining = {
    async query(text: string, values: unknown[]) {
      const rows = await service.sql<{ 'QUERY PLAN': Array<{ Plan: Plan }> }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      )
      plan = rows[0]?.['QUERY PLAN'][0]?.Plan
      return { rows: [{ ended: 0 }] }
    },
  }
  await expireDeliveries({ worker: explaining } as unknown as Database, RETENTION_MS)
  expect(mostRows(plan?.Plans?.find((one) => one['Subplan Name'] === 'CTE old'))).toBe(EXPIRY_BATCH)
})

interface Plan {
  'Subplan Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

/** The largest number of rows that a step of those that look for the batch has handed on. */
const mostRows = (plan: Plan | undefined): number =>
  plan ? Math.max(plan['Actual Rows'] * plan['Actual Loops'], ...(plan.Plans ?? []).map(mostRows)) : 0
