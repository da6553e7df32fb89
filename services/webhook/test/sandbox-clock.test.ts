import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFact } from '@svc/contracts/facts'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller, type Receiver, receiver } from '@svc/testing'
import pg from 'pg'
import { advanceDeliveries, advanceLane, claimAdvance, keepAdvance } from '../src/db/sandbox-clock.ts'
import { cloudEvent, startWebhook, type TestWebhook } from './start-webhook.ts'

let service: TestWebhook
let target: Receiver
beforeAll(async () => {
  service = await startWebhook()
  target = await receiver({ respond: () => ({ status: 503, headers: { 'retry-after': '3600' } }) })
})
afterAll(async () => {
  await service?.stop()
  await target?.close()
})

type Merchant = Caller & { merchantId: string }

/** A merchant of whose receiver each environment has put one delivery off by an hour. */
async function failing(): Promise<Merchant> {
  const live = merchantCaller({ isTest: false }) as Merchant
  const test = { ...live, isTest: true }
  await service.patch(live, { url: `${target.url}/live`, enabled: true })
  await service.patch(test, { url: `${target.url}/test`, enabled: true })
  await service.announce({ merchantId: live.merchantId }, { merchantId: live.merchantId, isTest: false })
  for (const caller of [live, test]) await attempted(caller, 1)
  return test
}

const deliveryOf = async (caller: Caller) =>
  (await service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0 })).items[0]!
const attempted = (caller: Caller, attempts: number) =>
  eventually(async () => {
    const item = await deliveryOf(caller)
    expect(item.attempts).toBe(attempts)
    return item
  })

/** As the order service announces it. */
const advance = ({ merchantId }: Merchant, seconds: number, version = 1) =>
  service.send([
    {
      topic: `${service.env['TOPIC_PREFIX']}svc.order.v1`,
      key: merchantId,
      payload: encodeFact('sandbox.clock_advanced', { seconds }),
      headers: cloudEvent(merchantId, 'sandbox.clock_advanced', version, merchantId, true, new Date()),
    },
  ])

/** So many deliveries of the sandbox that wait for tomorrow. */
const queued = (merchantId: string, count: number) =>
  service.sql(
    `WITH made AS (
       INSERT INTO delivery (id, merchant_id, is_test, event_id, event, occurred_at, body, next_attempt_at, created_at, to_live)
       SELECT gen_random_uuid(), $1, true, gen_random_uuid(), 'order.created', app_now(), '', app_now() + interval '1 day',
              app_now() - interval '1 minute', false FROM generate_series(1, $2)
       RETURNING id, next_attempt_at)
     INSERT INTO queued_delivery (delivery_id, merchant_id, is_test, claimable_at)
     SELECT id, $1, true, next_attempt_at FROM made`,
    [merchantId, count],
  )

/** What the deliveries of the sandbox wait for: the log and the queue say the same. */
async function waits(merchantId: string): Promise<Array<{ id: string; at: number }>> {
  const rows = await service.sql<{ id: string; shown: Date; queued: Date }>(
    `SELECT d.id, d.next_attempt_at AS shown, q.claimable_at AS queued FROM delivery d JOIN queued_delivery q ON q.delivery_id = d.id
      WHERE d.merchant_id = $1 AND d.is_test ORDER BY d.id`,
    [merchantId],
  )
  return rows.map(({ id, shown, queued: at }) => {
    expect(at).toEqual(shown)
    return { id, at: at.getTime() }
  })
}

describe('time that passes in a sandbox', () => {
  test('makes its retries due, and those of no live endpoint and no other merchant', async () => {
    const [merchant, other] = [await failing(), await failing()]
    const untouched = [{ ...merchant, isTest: false }, other, { ...other, isTest: false }]
    const before = await Promise.all(untouched.map(deliveryOf))
    await advance(merchant, 3_600)
    const item = await attempted(merchant, 2)
    expect(item.status).toBe('pending')
    expect(await Promise.all(untouched.map(deliveryOf))).toEqual(before)
  })

  test('passes for the others while one of its deliveries is held, and waits for nobody', async () => {
    const merchant = await failing()
    const held = await deliveryOf(merchant)
    await service.announce({ merchantId: merchant.merchantId })
    const other = await eventually(async () => {
      const item = await deliveryOf(merchant)
      return item.id !== held.id && item.attempts === 1 ? item : null
    })
    const holder = new pg.Client({ connectionString: service.database.workerUrl })
    await holder.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('SELECT FROM delivery WHERE id = $1 FOR UPDATE', [held.id])
      await advance(merchant, 3_600)
      await eventually(async () => expect(await deliveryOf(merchant)).toMatchObject({ id: other.id, attempts: 2 }))
    } finally {
      await holder.end()
    }
  })

  test('passes once, however often its fact arrives', async () => {
    const merchant = await failing()
    const at = Date.parse((await deliveryOf(merchant)).next_attempt_at ?? '')
    for (let times = 0; times < 3; times++) await advance(merchant, 5, 1)
    // What came later on the same key has been handled: so have the repeats.
    await advance(merchant, 1, 2)
    await eventually(async () =>
      expect(Date.parse((await deliveryOf(merchant)).next_attempt_at ?? '')).toBe(at - 6_000),
    )
  })

  test('passes a bounded number of deliveries at a time, and where that is lost, later and once', async () => {
    const merchant = await failing()
    const { merchantId } = merchant
    await queued(merchantId, 1_200)
    const before = await waits(merchantId)
    // No worker sees what is not committed: these steps are this test's own, and lost.
    const steps: Array<{ moved: number; isEnded: boolean }> = []
    const lost = service.context.transact('every tenant', async (tx) => {
      await keepAdvance(tx, { merchantId, version: 1, seconds: 60 })
      for (;;) {
        steps.push(await advanceDeliveries(tx, (await claimAdvance(tx))!, 500))
        if (steps.at(-1)!.isEnded) throw new Error('lost')
      }
    })
    await expect(lost).rejects.toThrow('lost')
    // The 1,201st is the one that failed.
    expect(steps.map(({ isEnded }) => isEnded)).toEqual([false, false, true])
    expect(steps.map(({ moved }) => moved)).toEqual([500, 500, 201])
    expect(await waits(merchantId)).toEqual(before)

    await advance(merchant, 60)
    await advance(merchant, 7, 2)
    await eventually(async () =>
      expect(await waits(merchantId)).toEqual(before.map(({ id, at }) => ({ id, at: at - 67_000 }))),
    )
    expect(await service.sql('SELECT FROM sandbox_advance WHERE merchant_id = $1', [merchantId])).toEqual([])
  })

  test('holds up no live delivery while its locks are held', async () => {
    const merchant = await failing()
    const { merchantId } = merchant
    const live = { ...merchant, isTest: false }
    const retried = await deliveryOf(live)
    target.respond(() => ({ status: 200 }))
    await service.context
      .transact('every tenant', async (tx) => {
        await keepAdvance(tx, { merchantId, version: 1, seconds: 60 })
        const advance = (await claimAdvance(tx))!
        await advanceLane(tx, advance)
        expect((await advanceDeliveries(tx, advance, 500)).moved).toBe(1)
        const [eventId] = await service.announce({ merchantId, isTest: false })
        await service.delivery.as(live).retryDelivery({ id: retried.id })
        await eventually(async () => {
          const { items } = await service.delivery.as(live).listDeliveries({ limit: 0, offset: 0, status: 'succeeded' })
          expect(new Set(items.map(({ event_id }) => event_id))).toEqual(new Set([eventId, retried.event_id]))
        })
        throw new Error('over')
      })
      .catch((error: Error) => expect(error.message).toBe('over'))
    target.respond(() => ({ status: 503, headers: { 'retry-after': '3600' } }))
  })

  test('takes no lane that a change of the endpoint will want, and no endpoint whose secret stands', async () => {
    const { merchantId } = await failing()
    const heard = { merchantId, version: 1, seconds: 60, heardAt: new Date(), metTo: null }
    const { transact } = service.context
    const holding = (during: () => Promise<void>) =>
      transact('every tenant', async (tx) => {
        // As saveEndpoints does: the endpoint first, then its lanes.
        await tx.sql('SELECT FROM endpoint WHERE merchant_id = $1 FOR UPDATE', [merchantId])
        await during()
        await tx.sql('SELECT FROM lane WHERE merchant_id = $1 FOR UPDATE NOWAIT', [merchantId])
      })
    await holding(() => transact('every tenant', (tx) => advanceLane(tx, heard)))
    await service.sql(
      `UPDATE endpoint SET test_previous_secret = 'x', test_previous_secret_expires_at = app_now() + interval '1 hour'
        WHERE merchant_id = $1`,
      [merchantId],
    )
    const advancing: Array<Promise<void>> = []
    await holding(async () => {
      advancing.push(transact('every tenant', (tx) => advanceLane(tx, heard)))
      await eventually(async () => {
        const [row] = await service.sql<{ waits: boolean }>(
          `SELECT count(*) > 0 AS waits FROM pg_locks l JOIN pg_stat_activity a USING (pid)
            WHERE a.datname = current_database() AND NOT l.granted`,
        )
        return row!.waits
      })
    })
    await Promise.all(advancing)
  })

  test('opens no breaker before its time', async () => {
    const merchant = await failing()
    const { merchantId } = merchant
    const lane = async () =>
      (
        await service.sql<{ open_until: Date; due_at: Date }>(
          'SELECT open_until, due_at FROM lane WHERE merchant_id = $1 AND is_test',
          [merchantId],
        )
      )[0]!
    await service.sql(
      `UPDATE lane SET consecutive_failures = 20, open_until = app_now() + interval '2 hours', due_at = app_now() + interval '2 hours'
        WHERE merchant_id = $1 AND is_test`,
      [merchantId],
    )
    const { open_until: before } = await lane()
    await advance(merchant, 3_600)
    await eventually(async () => expect((await lane()).open_until.getTime()).toBe(before.getTime() - 3_600_000))
    expect((await lane()).due_at).toEqual((await lane()).open_until)
    expect((await deliveryOf(merchant)).attempts).toBe(1)
    await advance(merchant, 3_600, 2)
    await attempted(merchant, 2)
  })
})
