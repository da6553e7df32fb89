import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { WebhookFault } from '@svc/contracts/webhook/v1/delivery_service'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller, type Receiver, receiver, waitingFor } from '@svc/testing'
import pg from 'pg'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

let service: TestWebhook
let target: Receiver
beforeAll(async () => {
  service = await startWebhook()
})
afterAll(() => service?.stop())
beforeEach(async () => {
  target = await receiver()
})
afterEach(() => target?.close())

type Merchant = Caller & { merchantId: string }

/** A merchant whose events of both environments go to the receiver of the test. */
async function merchant(): Promise<Merchant> {
  const caller = merchantCaller({ isTest: false }) as Merchant
  await service.patch(caller, { url: `${target.url}/live`, enabled: true })
  const sandbox = { ...caller, isTest: true }
  await service.patch(sandbox, { url: `${target.url}/test`, enabled: true })
  return sandbox
}

const fault = (kind: string, more: Partial<WebhookFault> = {}): WebhookFault => ({
  kind,
  events: [],
  count: 1,
  delay_ms: 0,
  remaining: 0,
  ...more,
})
const put = async (caller: Caller, ...faults: WebhookFault[]) =>
  (await service.fault.as(caller).putWebhookFaults({ faults })).faults
const left = async (caller: Caller) =>
  (await service.fault.as(caller).getWebhookFaults({})).faults.map(({ kind, remaining }) => [kind, remaining])

/** The deliveries as they are logged, the oldest event first. */
const logged = async (caller: Caller) =>
  (await service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0 })).items.toReversed()
const loggedOf = (caller: Caller, eventId: string | undefined, status: string) =>
  eventually(async () => {
    const found = (await logged(caller)).find(({ event_id }) => event_id === eventId)
    return found?.status === status ? found : null
  })
const announce = async (caller: Merchant, more: { isTest?: boolean; type?: string; orderId?: string } = {}) =>
  (await service.announce({ merchantId: caller.merchantId, ...more }))[0]
const arrived = (eventId: string | undefined) =>
  target.requests.filter(({ headers, body }) => headers['x-service-event'] && body.includes(eventId as string))

describe('a fault of the sandbox', () => {
  test('drop: the first attempt is not made and is logged as failed, one delivery for each count', async () => {
    const caller = await merchant()
    await put(caller, fault('drop', { count: 2 }))
    const dropped = [await announce(caller), await announce(caller)]
    for (const eventId of dropped) {
      const found = await eventually(async () => {
        const one = (await logged(caller)).find(({ event_id }) => event_id === eventId)
        return one?.attempts === 1 ? one : null
      })
      expect(found).toMatchObject({
        status: 'pending',
        fault: 'drop',
        last_error: 'dropped by a fault of the sandbox',
        attempts_log: [{ attempt: 1, error: 'dropped by a fault of the sandbox' }],
      })
    }
    expect(await left(caller)).toEqual([['drop', 0]])
    const next = await announce(caller)
    expect((await loggedOf(caller, next, 'succeeded')).fault).toBeUndefined()
    expect(dropped.map((eventId) => arrived(eventId).length)).toEqual([0, 0])
  })

  test('a dropped delivery arrives with its retry', async () => {
    const caller = await merchant()
    await put(caller, fault('drop'))
    const eventId = await announce(caller)
    const item = await eventually(async () => {
      const [one] = await logged(caller)
      return one?.attempts === 1 ? one : null
    })
    await service.delivery.as(caller).retryDelivery({ id: item.id })
    expect(await loggedOf(caller, eventId, 'succeeded')).toMatchObject({ fault: 'drop', last_status_code: 200 })
    expect(arrived(eventId)).toHaveLength(1)
  })

  test('duplicate: the same event arrives twice, under one delivery and two signatures of their own', async () => {
    const caller = await merchant()
    await put(caller, fault('duplicate'))
    const eventId = await announce(caller)
    expect(await loggedOf(caller, eventId, 'succeeded')).toMatchObject({ fault: 'duplicate', attempts: 1 })
    const twice = arrived(eventId)
    expect(twice).toHaveLength(2)
    expect(new Set(twice.map(({ body }) => body.toString())).size).toBe(1)
  })

  test('delay: the delivery arrives so much later, at its first attempt', async () => {
    const caller = await merchant()
    await put(caller, fault('delay', { delay_ms: 3_000 }))
    const before = Date.now()
    const eventId = await announce(caller)
    expect(await loggedOf(caller, eventId, 'succeeded')).toMatchObject({ fault: 'delay', attempts: 1 })
    expect(Date.now() - before).toBeGreaterThanOrEqual(2_000)
  })

  test('reorder: the delivery waits until a later one has overtaken it', async () => {
    const caller = await merchant()
    await put(caller, fault('reorder', { delay_ms: 600_000 }))
    const first = await announce(caller)
    await eventually(async () => expect((await logged(caller))[0]?.fault).toBe('reorder'))
    const second = await announce(caller)
    await loggedOf(caller, second, 'succeeded')
    expect(await loggedOf(caller, first, 'succeeded')).toMatchObject({ attempts: 1 })
    const order = target.requests.map(({ body }) => (body.includes(second as string) ? 'second' : 'first'))
    expect(order).toEqual(['second', 'first'])
  })

  test('reorder: what nothing overtakes arrives when its time is over', async () => {
    const caller = await merchant()
    await put(caller, fault('reorder', { delay_ms: 1_000 }))
    const eventId = await announce(caller)
    expect(await loggedOf(caller, eventId, 'succeeded')).toMatchObject({ fault: 'reorder', attempts: 1 })
  })

  test('meets the events that it names and passes over the others', async () => {
    const caller = await merchant()
    await put(caller, fault('drop', { events: ['order.accepted'] }), fault('duplicate', { count: 5 }))
    const eventId = await announce(caller)
    expect((await loggedOf(caller, eventId, 'succeeded')).fault).toBe('duplicate')
    expect(await left(caller)).toEqual([
      ['drop', 1],
      ['duplicate', 4],
    ])
  })

  test('reaches no live delivery and no other merchant', async () => {
    const [caller, other] = [await merchant(), await merchant()]
    await put(caller, fault('drop', { count: 1_000 }))
    const live = await announce(caller, { isTest: false })
    const foreign = await announce(other)
    expect((await loggedOf({ ...caller, isTest: false }, live, 'succeeded')).fault).toBeUndefined()
    expect((await loggedOf(other, foreign, 'succeeded')).fault).toBeUndefined()
    expect([await left(caller), await left(other)]).toEqual([[['drop', 1_000]], []])
  })

  test.each(['drop', 'delay', 'duplicate', 'reorder'])(
    '%s: no live delivery waits for who holds the list',
    async (kind) => {
      const [caller, stranger] = [await merchant(), await merchant()]
      await put(caller, fault(kind, { delay_ms: 1_000 }))
      const holder = new pg.Client({ connectionString: service.database.workerUrl })
      await holder.connect()
      try {
        await holder.query('BEGIN')
        // As a change of the list does.
        await holder.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `webhook_fault ${caller.merchantId}`,
        ])
        // In one message after the other on one topic: they are appended, and claimed, together where that can be.
        const [held, ...live] = await service.announce(
          { merchantId: caller.merchantId },
          { merchantId: caller.merchantId, isTest: false },
          { merchantId: stranger.merchantId, isTest: false },
        )
        await loggedOf({ ...caller, isTest: false }, live[0], 'succeeded')
        await loggedOf({ ...stranger, isTest: false }, live[1], 'succeeded')
        expect(arrived(held)).toEqual([])
      } finally {
        await holder.end()
      }
    },
  )

  test('a live result is stored while one of a sandbox waits for who holds its delivery', async () => {
    const [caller, stranger] = [await merchant(), await merchant()]
    const answer = Promise.withResolvers<{ status: number }>()
    target.respond(({ path }) => (path === '/test' ? answer.promise : { status: 200 }))
    const eventId = await announce(caller)
    await target.waitFor(({ body }) => body.includes(eventId as string))
    const holder = new pg.Client({ connectionString: service.database.workerUrl })
    await holder.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('SELECT FROM delivery WHERE merchant_id = $1 AND is_test FOR UPDATE', [caller.merchantId])
      answer.resolve({ status: 200 })
      await eventually(async () => (await waitingFor(holder)) > 0)
      const live = await announce(stranger, { isTest: false })
      await loggedOf({ ...stranger, isTest: false }, live, 'succeeded')
      expect((await logged(caller))[0]).toMatchObject({ status: 'pending', attempts: 0 })
    } finally {
      await holder.end()
    }
    expect(await loggedOf(caller, eventId, 'succeeded')).toMatchObject({ attempts: 1 })
  })

  test('is replaced with all others by the next list, and gone with an empty one', async () => {
    const caller = await merchant()
    await put(caller, fault('drop'), fault('delay'))
    expect(await put(caller, fault('reorder', { count: 3, delay_ms: 7 }))).toEqual([
      { kind: 'reorder', events: [], count: 3, delay_ms: 7, remaining: 3 },
    ])
    expect(await put(caller)).toEqual([])
    expect(await left(caller)).toEqual([])
  })

  test('is refused for live credentials and where it is none', async () => {
    const caller = await merchant()
    const live = { ...caller, isTest: false }
    await expect(put(live, fault('drop'))).rejects.toMatchObject({ code: 'test_mode_required' })
    await expect(service.fault.as(live).getWebhookFaults({})).rejects.toMatchObject({ code: 'test_mode_required' })
    for (const wrong of [fault('burn'), fault('drop', { count: 0 }), fault('delay', { delay_ms: 600_001 })])
      await expect(put(caller, wrong)).rejects.toMatchObject({ code: 'validation_error' })
    const many = Array.from({ length: 51 }, () => fault('drop'))
    await expect(put(caller, ...many)).rejects.toMatchObject({ code: 'validation_error' })
  })
})
