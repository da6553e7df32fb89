import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller, type ReceivedRequest, type Receiver, receiver } from '@svc/testing'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

const SECRET = 'a secret of the merchant'

let service: TestWebhook
let target: Receiver
let clockMs = 0

beforeAll(async () => {
  service = await startWebhook()
})
afterAll(() => service?.stop())
beforeEach(async () => {
  target = await receiver()
})
afterEach(() => target?.close())

/** Moves the database's clock forward; retries become due without waiting. */
async function advance(ms: number): Promise<void> {
  clockMs += ms
  await service.database.shiftClock(clockMs)
}

async function merchant(
  change: Parameters<TestWebhook['patch']>[1] = {},
  isTest: boolean | null = true,
): Promise<Caller & { merchantId: string }> {
  const caller = merchantCaller({ isTest })
  await service.patch(caller, { url: `${target.url}/hook`, enabled: true, secret: SECRET, ...change })
  return caller as Caller & { merchantId: string }
}

const deliveriesOf = async (caller: Caller) =>
  (await service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0 })).items

const settled = (caller: Caller, status: string, attempts: number) =>
  eventually(async () => {
    const [item] = await deliveriesOf(caller)
    return item?.status === status && item.attempts === attempts ? item : false
  })

/** openssl is an implementation that is not ours. */
const hmac = (data: Buffer, secret = SECRET) =>
  execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `key:${secret}`, '-binary'], { input: data })

const bodyOf = (request: ReceivedRequest) => request.json() as Record<string, unknown> & { order: object }

describe('a delivery', () => {
  test('arrives as a POST signed over its raw bytes, and is in the log with its place there in place of the delivery’s id', async () => {
    const caller = await merchant()
    const orderId = randomUUID()
    const [eventId] = await service.announce({ merchantId: caller.merchantId, orderId })
    const request = await target.waitFor(() => true)
    expect(request).toMatchObject({ method: 'POST', path: '/hook' })
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'order.created',
      'x-service-environment': 'test',
      'x-service-signature': `v1=${hmac(request.body).toString('hex')}`,
    })
    const { delivery_id, ...envelope } = bodyOf(request)
    expect(envelope).toMatchObject({ event: 'order.created', event_id: eventId, sequence: 1, api_version: 'v1' })
    expect(await settled(caller, 'succeeded', 1)).toMatchObject({
      id: delivery_id,
      event_id: eventId,
      order_id: orderId,
      max_attempts: 5,
      last_status_code: 200,
      url: `${target.url}/hook`,
      attempts_log: [expect.objectContaining({ attempt: 1, status_code: 200 })],
    })
    const log = await service.event.as(caller).listEvents({ limit: 0 })
    expect(log.envelopes_json.map((text) => JSON.parse(text))).toEqual([{ ...envelope, cursor: '1' }])
  })

  test('of a live order carries no test marker', async () => {
    const caller = await merchant({}, false)
    await service.announce({ merchantId: caller.merchantId, isTest: false })
    const request = await target.waitFor(() => true)
    expect(request.headers).not.toHaveProperty('x-service-environment')
    expect(bodyOf(request).order).toMatchObject({ is_test: false })
  })

  test('of a test order goes to the test URL under the test secret, when these are set', async () => {
    const sandbox = await receiver()
    try {
      const caller = await merchant({ test_url: sandbox.url, test_secret: 'the secret for tests' }, null)
      await service.announce({ merchantId: caller.merchantId }, { merchantId: caller.merchantId, isTest: false })
      const [test, live] = await Promise.all([sandbox.waitFor(() => true), target.waitFor(() => true)])
      expect(test.headers['x-service-signature']).toBe(`v1=${hmac(test.body, 'the secret for tests').toString('hex')}`)
      expect(live.headers['x-service-signature']).toBe(`v1=${hmac(live.body).toString('hex')}`)
    } finally {
      await sandbox.close()
    }
  })

  test('under v2 is signed over event id, time and body, by both secrets while they overlap, also for stock libraries', async () => {
    const caller = await merchant({ signature_version: 'v2' })
    const { secret } = await service.webhook.as(caller).rotateOutboundWebhookSecret({})
    const [eventId] = await service.announce({ merchantId: caller.merchantId })
    const { headers, body } = await target.waitFor(() => true)
    const t = headers['x-service-timestamp'] as string
    expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(60)
    const signed = Buffer.concat([Buffer.from(`${eventId}.${t}.`), body])
    const digests = [hmac(signed, secret), hmac(signed)]
    expect(headers).toMatchObject({
      'x-service-event-id': eventId,
      'x-service-signature': `t=${t},${digests.map((digest) => `v2=${digest.toString('hex')}`).join(',')}`,
      'webhook-id': eventId,
      'webhook-timestamp': t,
      'webhook-signature': digests.map((digest) => `v1,${digest.toString('base64')}`).join(' '),
    })
  })

  test('whose secret cannot be opened is dead after five attempts, and the owner gets one mail', async () => {
    const caller = await merchant()
    await service.sql("UPDATE endpoint SET test_secret = 'sealed by a key that is gone' WHERE merchant_id = $1", [
      caller.merchantId,
    ])
    await service.announce({ merchantId: caller.merchantId })
    for (const attempts of [1, 2, 3, 4]) {
      await settled(caller, 'pending', attempts)
      await advance(30_000 * 2 ** (attempts - 1))
    }
    expect((await settled(caller, 'dead', 5)).last_error).toBe('the endpoint has no URL, or no secret that can be read')
    expect(target.requests).toEqual([])
    expect(await service.sql('SELECT kind FROM alert WHERE merchant_id = $1', [caller.merchantId])).toEqual([
      { kind: 'first_dead' },
    ])
  })

  test('is signed where another secret of its endpoint cannot be opened', async () => {
    const caller = await merchant({ test_secret: 'of the sandbox alone' }, null)
    await service.sql(
      "UPDATE endpoint SET test_secret = 'sealed by a key that is gone', previous_secret = 'so is this' WHERE merchant_id = $1",
      [caller.merchantId],
    )
    await service.announce({ merchantId: caller.merchantId, isTest: false })
    await settled(caller, 'succeeded', 1)
  })

  test('is repeated after exactly 30, 60, 120 and 240 s with the same bytes and a new attempt id, then is dead', async () => {
    target.respond(() => ({ status: 500, body: 'out of order' }))
    const caller = await merchant()
    await service.announce({ merchantId: caller.merchantId })
    for (const [index, seconds] of [30, 60, 120, 240].entries()) {
      const item = await settled(caller, 'pending', index + 1)
      const last = item.attempts_log.at(-1)
      expect(last).toMatchObject({ attempt: index + 1, status_code: 500, response_snippet: 'out of order' })
      const [row] = await service.sql<{ wait: number }>(
        'SELECT extract(epoch FROM next_attempt_at - app_now())::float8 AS wait FROM delivery WHERE id = $1',
        [item.id],
      )
      expect(row?.wait).toBeGreaterThan(seconds / 2)
      expect(row?.wait).toBeLessThanOrEqual(seconds)
      await advance(seconds * 1000)
    }
    const dead = await settled(caller, 'dead', 5)
    expect(dead.next_attempt_at).toBeUndefined()
    expect(target.requests).toHaveLength(5)
    expect(new Set(target.requests.map(({ body }) => body.toString('hex'))).size).toBe(1)
    expect(new Set(target.requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(5)
  })

  test('that is answered 410 is dead at once', async () => {
    target.respond(() => ({ status: 410 }))
    const caller = await merchant()
    await service.announce({ merchantId: caller.merchantId })
    await settled(caller, 'dead', 1)
  })

  test('waits for as long as Retry-After of a 429 asks', async () => {
    target.respond(() => ({ status: 429, headers: { 'retry-after': '600' } }))
    const caller = await merchant()
    await service.announce({ merchantId: caller.merchantId })
    const { id } = await settled(caller, 'pending', 1)
    const [row] = await service.sql<{ wait: number }>(
      'SELECT extract(epoch FROM next_attempt_at - app_now())::float8 AS wait FROM delivery WHERE id = $1',
      [id],
    )
    expect(row?.wait).toBeGreaterThan(300)
    expect(row?.wait).toBeLessThanOrEqual(600)
  })

  test('does not follow a redirect: it counts as a failure', async () => {
    const elsewhere = await receiver()
    try {
      target.respond(() => ({ status: 307, headers: { location: elsewhere.url } }))
      const caller = await merchant()
      await service.announce({ merchantId: caller.merchantId })
      expect(await settled(caller, 'pending', 1)).toMatchObject({ last_status_code: 307 })
      expect(elsewhere.requests).toHaveLength(0)
    } finally {
      await elsewhere.close()
    }
  })

  test('uses the URL and the secret of the attempt, not of the event', async () => {
    target.respond(() => ({ status: 503 }))
    const caller = await merchant()
    await service.announce({ merchantId: caller.merchantId })
    await settled(caller, 'pending', 1)
    const next = await receiver()
    try {
      await service.patch(caller, { url: next.url, secret: 'another secret of it' })
      await advance(30_000)
      const request = await next.waitFor(() => true)
      expect(request.body).toEqual(target.requests[0]?.body)
      expect(request.headers['x-service-signature']).toBe(
        `v1=${hmac(request.body, 'another secret of it').toString('hex')}`,
      )
    } finally {
      await next.close()
    }
  })

  test('waits while the endpoint is disabled and goes out when it is enabled again', async () => {
    target.respond(() => ({ status: 500 }))
    const caller = await merchant()
    await service.announce({ merchantId: caller.merchantId })
    await settled(caller, 'pending', 1)
    await service.patch(caller, { enabled: false })
    await advance(60_000)
    const other = await merchant()
    await service.announce({ merchantId: other.merchantId })
    await target.waitFor((request) => bodyOf(request).merchant_id === other.merchantId)
    expect((await deliveriesOf(caller))[0]?.attempts).toBe(1)
    target.respond(() => ({ status: 200 }))
    await service.patch(caller, { enabled: true })
    await settled(caller, 'succeeded', 2)
  })

  test('a closed port or a dropped connection is a failed attempt with a reason and no address in it', async () => {
    target.respond(() => ({ drop: true }))
    const caller = await merchant()
    await service.announce({ merchantId: caller.merchantId })
    const item = await settled(caller, 'pending', 1)
    expect(item.last_status_code).toBeUndefined()
    expect(item.last_error).toMatch(/^connection failed/)
    expect(item.last_error).not.toContain('127.0.0.1')
  })

  test('a NUL byte or broken UTF-8 in an answer does not lose the result', async () => {
    target.respond(() => ({ status: 400, body: Buffer.from([0x61, 0x00, 0xff, 0x62]) }))
    const caller = await merchant()
    await service.announce({ merchantId: caller.merchantId })
    const item = await settled(caller, 'pending', 1)
    expect(item.attempts_log[0]?.response_snippet).toBe('a\uFFFD\uFFFDb')
  })
})
