import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { explain, merchantCaller, vacuum } from '@svc/testing'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

const MIB = 1024 * 1024

let service: TestWebhook
beforeAll(async () => {
  service = await startWebhook()
})
afterAll(() => service?.stop())

test('a page of large events ends at 8 MiB, and its cursor goes on', async () => {
  const caller = merchantCaller()
  await service.sql(
    `INSERT INTO event_log (merchant_id, cursor, is_test, order_id, sequence, event_id, event, envelope, occurred_at)
     SELECT $1, n, true, gen_random_uuid(), 1, gen_random_uuid(), 'order.created',
            json_build_object('n', n, 'x', repeat('x', 250000)), now() FROM generate_series(1, 80) n`,
    [caller.merchantId],
  )
  const seen: number[] = []
  let after: string | undefined
  let pages = 0
  do {
    const page = await service.event.as(caller).listEvents({ limit: 200, after })
    expect(page.envelopes_json.reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(8 * MIB)
    seen.push(...page.envelopes_json.map((text) => JSON.parse(text).n))
    after = page.next_cursor
    pages += after === undefined ? 0 : 1
  } while (after !== undefined)
  expect(seen).toEqual(Array.from({ length: 80 }, (_, index) => index + 1))
  expect(pages).toBe(3)
})

test('each filter of an old merchant reads less than 1,500 pages, and totals end at 100,000', async () => {
  const caller = merchantCaller({ isTest: false })
  for (let first = 0; first < 120_000; first += 40_000) {
    await service.sql(
      `INSERT INTO delivery (id, merchant_id, is_test, event_id, event, order_id, occurred_at, body, status, created_at)
       SELECT gen_random_uuid(), $1, n % 3000 = 0, gen_random_uuid(),
              CASE WHEN n % 3000 = 1 THEN 'order.accepted' ELSE 'order.status_updated' END, gen_random_uuid(), now(),
              decode(repeat('ab', 300), 'hex'), CASE WHEN n % 3000 = 2 THEN 'dead' ELSE 'succeeded' END,
              now() - (120000 - n) * interval '1 second'
         FROM generate_series($2::int + 1, $2 + 40000) n`,
      [caller.merchantId, first],
    )
    await service.sql(
      `INSERT INTO event_log (merchant_id, cursor, is_test, order_id, sequence, event_id, event, envelope, occurred_at)
       SELECT $1, n, n % 3000 = 0, gen_random_uuid(), 1, gen_random_uuid(), 'order.created', '{}', now()
         FROM generate_series($2::int + 1, $2 + 40000) n`,
      [caller.merchantId, first],
    )
  }
  await vacuum(service.database.ownerUrl, 'delivery', 'event_log')
  const tooMany: object[] = []
  const session = await service.context.database.worker.connect()
  try {
    // As where the rows of other merchants lie between.
    await session.query('SET enable_seqscan = off')
    for (const statement of listsOf(caller.merchantId as string)) {
      const carriedOut = await explain(session, statement)
      if (carriedOut.blocks >= 1_500) tooMany.push(carriedOut)
    }
  } finally {
    session.release(true)
  }
  expect(tooMany).toEqual([])
  expect((await service.delivery.as(caller).listDeliveries({ limit: 1, offset: 0 })).total).toBe(100_000)
})

/** What lists of a merchant ask, by each filter. */
function* listsOf(merchantId: string): Generator<string> {
  for (const environment of ['is_test', 'is_test = false', 'true']) {
    for (const filter of [
      'true',
      "status = 'dead'",
      "status = 'succeeded'",
      "status = 'pending'",
      "event = 'order.accepted'",
      "event = 'order.status_updated'",
      "status = 'succeeded' AND event = 'order.status_updated'",
      "status = 'dead' AND event = 'order.status_updated'",
    ]) {
      const matching = `merchant_id = '${merchantId}' AND ${environment} AND ${filter}`
      yield `SELECT id FROM delivery WHERE ${matching} ORDER BY created_at DESC, id DESC LIMIT 50`
      yield `SELECT count(*) FROM (SELECT FROM delivery WHERE ${matching} LIMIT 100000) AS capped`
    }
    yield `SELECT cursor, envelope FROM event_log WHERE merchant_id = '${merchantId}' AND ${environment} AND cursor > 0
      ORDER BY cursor LIMIT 200`
  }
}
