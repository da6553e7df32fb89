import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, explain, merchantCaller, type Receiver, receiver, vacuum } from '@svc/testing'
import { readConfig } from '../src/config.ts'
import { forgotten } from '../src/db/forget.ts'
import { webhook } from '../src/service.ts'
import { retention } from '../src/workers/retention.ts'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

const DAY_MS = 86_400_000
const RETENTION_MS = 30 * DAY_MS

let service: TestWebhook
let target: Receiver
beforeAll(async () => {
  service = await startWebhook()
  target = await receiver()
})
afterAll(async () => {
  await service?.stop()
  await target?.close()
})

async function sweepUntil(check: () => Promise<void>): Promise<void> {
  const sweeper = retention(service.context)
  await sweeper.start?.()
  try {
    await eventually(check)
  } finally {
    await sweeper.stop?.()
  }
}

test('what is older than the retention time goes, with its attempts; what is younger or not yet delivered stays', async () => {
  const caller = merchantCaller()
  const merchantId = caller.merchantId as string
  await service.patch(caller, { url: target.url, enabled: true })
  const deliver = async (orderId: string, version = 1) => {
    await service.announce({ merchantId, orderId, version, type: version === 1 ? 'order.created' : 'order.accepted' })
    await eventually(async () => {
      const all = await service.sql('SELECT 1 FROM delivery WHERE order_id = $1', [orderId])
      const done = await service.sql(`SELECT 1 FROM delivery WHERE order_id = $1 AND status <> 'pending'`, [orderId])
      return all.length === version && done.length === version
    })
  }
  const [old, waiting, young] = [randomUUID(), randomUUID(), randomUUID()]
  await deliver(old)
  target.respond(() => ({ status: 500 }))
  await service.announce({ merchantId, orderId: waiting })
  await eventually(() => target.requests.length === 2)
  target.respond(() => ({ status: 200 }))
  await service.patch(caller, { enabled: false })
  // As if the waiting one and the old one had come 31 days ago.
  await service.sql(`UPDATE delivery SET created_at = created_at - interval '31 days'`)
  await service.sql(`UPDATE event_log SET occurred_at = occurred_at - interval '31 days'`)
  await service.sql(`UPDATE order_stream SET updated_at = updated_at - interval '31 days'`)
  await service.patch(caller, { enabled: true })
  await deliver(young)

  const orders = async (table: string) => {
    const rows = await service.sql<{ order_id: string }>(`SELECT order_id FROM ${table} ORDER BY order_id`)
    return rows.map(({ order_id }) => order_id)
  }
  await sweepUntil(async () => {
    expect(await orders('event_log')).toEqual([young])
    expect(await orders('delivery')).toEqual([waiting, young].toSorted())
  })
  expect(await service.sql('SELECT 1 FROM attempt WHERE delivery_id NOT IN (SELECT id FROM delivery)')).toEqual([])
  // An order may still change: its next fact must find the version that it follows.
  expect(await orders('order_stream')).toEqual([old, waiting, young].toSorted())
  await service.announce({ merchantId, orderId: old, version: 2, type: 'order.accepted' })
  await eventually(async () => expect(await orders('event_log')).toEqual([old, young].toSorted()))
})

test('a sweep of deliveries reads what it removes, however many lie before it that stay', async () => {
  // Ended by their age a day ago, and young ones: as a receiver leaves them that never answered. The table has 800 pages.
  await service.sql(
    `INSERT INTO delivery (id, merchant_id, is_test, event_id, event, occurred_at, body, status, created_at, expired_at)
     SELECT gen_random_uuid(), gen_random_uuid(), false, gen_random_uuid(), 'order.created', now(), '', 'dead',
            now() - CASE WHEN n % 2 = 0 THEN interval '31 days' ELSE interval '1 day' END,
            CASE WHEN n % 2 = 0 THEN now() - interval '1 day' END
       FROM generate_series(1, 40000) n`,
  )
  await vacuum(service.database.ownerUrl, 'delivery')
  const ofDeliveries = forgotten(RETENTION_MS).filter(({ table }) => table === 'delivery')
  expect(ofDeliveries).toHaveLength(2)
  for (const { age, keep, where } of ofDeliveries) {
    const oldest = `SELECT ctid FROM delivery
      WHERE ${age} < (SELECT app_now() - ${keep}) AND ${where} ORDER BY ${age} LIMIT 5000`
    const carriedOut = await explain(service.context.database.worker, oldest)
    expect([carriedOut].filter(({ blocks }) => blocks >= 200)).toEqual([])
  }
})

test('a process looks for what is past its time at the interval that it is told, also among what it has heard', async () => {
  const replica = await webhook.create(readConfig({ ...service.env, INSTANCE: 'sweeper', SWEEP_INTERVAL_MS: '50' }))
  await replica.start()
  try {
    // The first round may be that of the start.
    for (let round = 0; round < 3; round++) {
      const id = randomUUID()
      await service.sql(`INSERT INTO inbox VALUES ('of old', $1, clock_timestamp() - interval '31 days')`, [id])
      await service.sql(
        `INSERT INTO order_stream (order_id, merchant_id, updated_at) VALUES ($1, $1, app_now() - interval '361 days')`,
        [id],
      )
      await eventually(async () => {
        expect(await service.sql('SELECT 1 FROM inbox WHERE event_id = $1', [id])).toEqual([])
        expect(await service.sql('SELECT 1 FROM order_stream WHERE order_id = $1', [id])).toEqual([])
      })
    }
  } finally {
    await replica.stop()
  }
})
