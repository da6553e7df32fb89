import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { eventually } from '@svc/testing'
import { claimDeliveries } from '../src/db/queue.ts'
import { replaceFaults, takeFaults } from '../src/db/webhook-faults.ts'
import type { FaultKind } from '../src/domain/webhook-fault.ts'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

/** It delivers nothing by itself: the replicas are the test's own. */
let service: TestWebhook
beforeAll(async () => {
  service = await startWebhook({ OUTBOUND_WEBHOOKS_ENABLED: 'false' })
})
afterAll(() => service?.stop())

let merchantId: string
beforeEach(async () => {
  merchantId = randomUUID()
  await service.sql(
    `INSERT INTO endpoint (merchant_id, url, enabled, secret, events, updated_at) VALUES ($1, 'https://shop.example', true, 'x', '{}', app_now())`,
    [merchantId],
  )
  await service.sql('INSERT INTO lane (merchant_id, is_test, due_at) VALUES ($1, true, app_now())', [merchantId])
})

/** So many deliveries of the sandbox that are due. */
async function due(count: number): Promise<string[]> {
  const rows = await service.sql<{ id: string }>(
    `WITH made AS (
       INSERT INTO delivery (id, merchant_id, is_test, event_id, event, occurred_at, body, next_attempt_at, created_at, to_live)
       SELECT gen_random_uuid(), $1, true, gen_random_uuid(), 'order.created', app_now(), '', app_now(), app_now(), true
         FROM generate_series(1, $2) RETURNING id)
     INSERT INTO queued_delivery (delivery_id, merchant_id, is_test, claimable_at)
     SELECT id, $1, true, app_now() FROM made RETURNING delivery_id AS id`,
    [merchantId, count],
  )
  return rows.map(({ id }) => id)
}

const fault = (kind: FaultKind, count = 1) => ({ kind, events: [], count, delayMs: 600_000 })
const put = (...faults: Array<ReturnType<typeof fault>>) =>
  service.context.transact('every tenant', (tx) => replaceFaults(tx, merchantId, faults))
const left = async () =>
  (
    await service.sql<{ remaining: number }>(
      'SELECT remaining FROM webhook_fault WHERE merchant_id = $1 ORDER BY position',
      [merchantId],
    )
  ).map(({ remaining }) => remaining)

/** A replica, with what it has claimed. */
async function replica() {
  const lease = randomUUID()
  const rows = await claimDeliveries(service.context.database, { lease, limit: 10, leaseMs: 30_000 })
  const ids = rows.flatMap((row) => (row.merchant_id === merchantId ? [row.id] : []))
  return { ids, take: () => takeFaults(service.context.database, ids, lease) }
}

let clockMs = 0
/** The leases that are held end. */
async function later(): Promise<void> {
  clockMs += 31_000
  await service.database.shiftClock(clockMs)
}

describe.each(['drop', 'delay', 'duplicate', 'reorder'] as const)('a fault of the kind %s', (kind) => {
  test('is not taken by a replica whose lease another one has, which neither judges nor sends the delivery', async () => {
    const [id] = await due(1)
    await put(fault(kind))
    const frozen = await replica()
    await later()
    const other = await replica()
    expect([frozen.ids, other.ids]).toEqual([[id], [id]])
    expect([...(await frozen.take())]).toEqual([])
    expect(await left()).toEqual([1])
    expect([...(await other.take())]).toEqual([[id, kind]])
    expect([...(await frozen.take())]).toEqual([])
    expect(await left()).toEqual([0])
  })
})

test.each(['drop', 'duplicate'] as const)(
  'a replica that dies after it took a %s leaves it to the next one',
  async (kind) => {
    const [id] = await due(1)
    await put(fault(kind))
    expect([...(await (await replica()).take())]).toEqual([[id, kind]])
    await later()
    expect([...(await (await replica()).take())]).toEqual([[id, kind]])
    expect(await left()).toEqual([0])
  },
)

test.each(['delay', 'reorder'] as const)(
  'a %s is kept back for its time, and is met by no other fault then',
  async (kind) => {
    const [id] = await due(1)
    await put(fault(kind), fault('drop'))
    expect([...(await (await replica()).take())]).toEqual([[id, kind]])
    expect((await replica()).ids).toEqual([])
    clockMs += 600_000
    await service.database.shiftClock(clockMs)
    expect([...(await (await replica()).take())]).toEqual([[id, null]])
    expect(await left()).toEqual([0, 1])
  },
)

test('of faults that are replaced while many replicas wait for them each is met as often as it says', async () => {
  const ids = await due(24)
  // Of a lane five are claimed at a time: here each has a replica of its own.
  const leased = await service.sql<{ id: string; lease: string }>(
    `UPDATE queued_delivery SET lease = gen_random_uuid(), lease_until = app_now() + interval '30 seconds'
      WHERE delivery_id = ANY ($1) RETURNING delivery_id AS id, lease`,
    [ids],
  )
  await put(fault('duplicate', 1_000))
  let taking: Array<ReturnType<typeof takeFaults>> = []
  await service.context.transact('every tenant', async (tx) => {
    await replaceFaults(tx, merchantId, [fault('drop', 3), fault('delay'), fault('duplicate', 5), fault('reorder', 2)])
    taking = leased.map(({ id, lease }) => takeFaults(service.context.database, [id], lease))
    await eventually(async () => {
      const { rows } = await tx.sql<{ waiting: boolean }>(
        `SELECT count(*) > 2 AS waiting FROM pg_locks l JOIN pg_database d ON d.oid = l.database
          WHERE d.datname = current_database() AND NOT l.granted`,
      )
      return rows[0]!.waiting
    })
  })
  const met = (await Promise.all(taking)).flatMap((one) => [...one.values()])
  const counts = Object.groupBy(met, (kind) => kind ?? 'none')
  expect(Object.fromEntries(Object.entries(counts).map(([kind, all]) => [kind, all?.length]))).toEqual({
    drop: 3,
    delay: 1,
    duplicate: 5,
    reorder: 2,
    none: 13,
  })
  expect(await left()).toEqual([0, 0, 0, 0])
})
