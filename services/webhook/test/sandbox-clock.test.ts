import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFact } from '@svc/contracts/facts'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller, type Receiver, receiver } from '@svc/testing'
import pg from 'pg'
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
})
