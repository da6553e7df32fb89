import { randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import { eventually, freePort } from '@svc/testing'
import { routes } from '../src/routes/index.ts'
import { pathOf } from '../src/samples/requests.ts'
import { call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault, type Vault } from './vault.ts'

let vault: Vault
let upstream: Upstream
let running: Running
const started: Running[] = []

const start = async (overrides: Parameters<typeof startGateway>[1] = {}) => {
  const one = await startGateway(upstream, overrides)
  started.push(one)
  return one
}

beforeAll(async () => {
  vault = await createVault()
  upstream = await startUpstream(vault)
  running = await start()
})
afterAll(async () => {
  for (const { gateway } of started) await gateway.stop()
  await upstream?.stop()
})
beforeEach(() => {
  upstream.asked.length = 0
  upstream.answers.clear()
})

const PLATFORM = '/webhooks/payments-a/platform'
const hooks = routes.filter(({ auth }) => auth.kind === 'signed').map(({ path }) => pathOf(path))
const received = () => upstream.asked.filter(({ rpc }) => rpc === 'receiveHook').map(({ request }) => request)

/** A request with headers as they are spelt and as often as they are given. */
function sendRaw(path: string, headers: string[], body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(running.url + path, { method: 'POST' }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    for (const name of new Set(headers.filter((_, i) => i % 2 === 0))) {
      const values = headers.filter((_, i) => i % 2 === 1 && headers[i - 1] === name)
      sent.setHeader(name, values.length === 1 ? (values[0] as string) : values)
    }
    sent.once('error', reject).end(body)
  })
}

describe('what was signed arrives as it was signed', () => {
  const bodies: Array<[string, Buffer, string]> = [
    [
      'JSON with spaces and digits beyond doubles',
      Buffer.from('{ "amount" : 12345678901234567890 }\n'),
      'application/json',
    ],
    ['bytes that are no text', randomBytes(4_096), 'application/octet-stream'],
    ['a form', Buffer.from('webhook_id=17'), 'application/x-www-form-urlencoded'],
    ['nothing', Buffer.alloc(0), 'text/plain'],
    ['a body of exactly 1 MiB', Buffer.alloc(1024 * 1024, 'x'), 'application/json'],
  ]
  test.each(bodies)('%s', async (_what, body, type) => {
    for (const path of hooks) {
      const answer = await call(running.url, 'POST', path, { body, headers: { 'content-type': type } })
      expect([answer.status, answer.body]).toEqual([
        200,
        { received: true, status: 'ignored', id: expect.any(String), reason: 'unknown_event' },
      ])
    }
    expect(received().map((hook) => Buffer.from(hook['body'] as Uint8Array).equals(body))).toEqual(
      hooks.map(() => true),
    )
  })

  test('a compressed body is refused, and is judged by nobody', async () => {
    const body = gzipSync('{"event":"charge.success"}')
    for (const path of hooks) expect(await sendRaw(path, ['content-encoding', 'gzip'], body)).toBe(415)
    expect(await sendRaw(PLATFORM, ['content-encoding', 'identity'], Buffer.from('{}'))).toBe(200)
    expect(received()).toHaveLength(1)
  })

  test('a header that came twice is told twice, in lower case', async () => {
    const sent = ['X-Payments-A-Signature', 'one', 'X-Payments-A-Signature', 'two']
    expect(await sendRaw(PLATFORM, sent, Buffer.from('{}'))).toBe(200)
    const headers = received()[0]?.['headers'] as Array<{ name: string; value: string }>
    expect(headers.filter(({ name }) => name === 'x-payments-a-signature').map(({ value }) => value)).toEqual([
      'one',
      'two',
    ])
  })

  test('credentials of ours are not told, and however many there are they decide nothing', async () => {
    const key = vault.key()
    const sent = ['authorization', `Bearer ${key}`, 'x-api-key', key, 'x-api-key', key, 'cookie', 'a=b']
    expect(await sendRaw(PLATFORM, sent, Buffer.from('{}'))).toBe(200)
    const [hook] = upstream.asked.filter(({ rpc }) => rpc === 'receiveHook')
    expect(JSON.stringify(hook?.request['headers'])).not.toContain(key)
    expect(JSON.stringify(hook?.request['headers'])).not.toContain('cookie')
    expect(hook?.caller).toMatchObject({ kind: 'public' })
    expect(hook?.caller.merchantId).toBeUndefined()
  })
})

describe('what is not taken', () => {
  test('more than 1 MiB is 413, whether it says so before or not', async () => {
    const body = Buffer.alloc(1024 * 1024 + 1, 'x')
    for (const path of hooks) {
      const declared = await call(running.url, 'POST', path, { body })
      expect([declared.status, declared.body.error]).toEqual([413, 'payload_too_large'])
      const chunked = await sendRaw(path, ['transfer-encoding', 'chunked'], body).catch((error) => error.code)
      expect([413, 'ECONNRESET', 'EPIPE']).toContain(chunked)
    }
    expect(received()).toEqual([])
  })

  test('the id of no merchant, a malformed one and a wrong signature are answered alike', async () => {
    upstream.answers.set('receiveHook', new ServiceError('invalid_signature'))
    const answers = await Promise.all(
      [PLATFORM, `/webhooks/payments-a/${randomUUID()}`, '/webhooks/payments-a/nobody'].map((path) =>
        call(running.url, 'POST', path, { body: '{}', headers: { 'x-request-id': 'same' } }),
      ),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect([answers[0]?.status, answers[0]?.body.error]).toEqual([401, 'invalid_signature'])
  })

  test('what cannot be stored now is asked for again: 503 with Retry-After', async () => {
    upstream.answers.set('receiveHook', new ServiceError('service_unavailable'))
    for (const path of hooks) {
      const answer = await call(running.url, 'POST', path, { body: '{}' })
      expect([answer.status, answer.body.error]).toEqual([503, 'service_unavailable'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  test('what is ignored says why, and that nothing is stored', async () => {
    upstream.answers.set('receiveHook', { status: 'ignored', reason: 'unknown_event' })
    const answer = await call(running.url, 'POST', PLATFORM, { body: '{}' })
    expect(answer.body).toEqual({ received: true, status: 'ignored', id: null, reason: 'unknown_event' })
  })
})

/** Judges as ingestion does, by a header that names the signer in place of a signature. */
async function judged(request: Record<string, unknown>): Promise<object> {
  const headers = request['headers'] as Array<{ name: string; value: string }>
  const signer = headers.find(({ name }) => name === 'x-payments-a-signature')?.value
  if (signer === undefined) throw new ServiceError('invalid_signature')
  if ((request['exhausted_signers'] as string[]).includes(signer)) throw new ServiceError('rate_limited')
  return { id: randomUUID(), status: 'accepted', signer }
}

interface Posted {
  from?: string
  signer?: string
  body?: Buffer | string
}

const postTo =
  ({ url }: Running, path = PLATFORM) =>
  ({ from = '203.0.113.1', signer, body = '{}' }: Posted = {}) =>
    call(url, 'POST', path, {
      body,
      headers: { 'x-forwarded-for': from, ...(signer === undefined ? {} : { 'x-payments-a-signature': signer }) },
    })

const merchantPath = (id: string) => `/webhooks/payments-a/${id}`
const behindProxy = { trustedProxies: ['127.0.0.0/8'] }

describe('unsigned posts use up no room of signed ones', () => {
  beforeEach(() => {
    upstream.answers.set('receiveHook', judged)
  })

  test('after a thousand from one network a signed hook from there and from elsewhere is taken, and junk is 429', async () => {
    const flooded = await start({ ...behindProxy, rateHooksRefusedPerMinute: 60 })
    const post = postTo(flooded)
    const junk: number[] = []
    const startedAt = performance.now()
    for (let round = 0; round < 20; round++) {
      const posts = Array.from({ length: 50 }, (_, i) => post({ from: `2001:db8:1:2::${i.toString(16)}` }))
      for (const { status } of await Promise.all(posts)) junk.push(status)
    }
    const judgedFreely = junk.filter((status) => status === 401).length
    expect(judgedFreely).toBeGreaterThanOrEqual(60)
    // In each minute that it takes: those that were under way together when the budget ran out came with the rest of it.
    const minutes = Math.ceil((performance.now() - startedAt) / 60_000)
    expect(judgedFreely).toBeLessThan((60 + 50) * minutes)
    // 503 is what had no turn in time: a slow machine has some of these.
    expect(junk.filter((status) => status === 429 || status === 503)).toHaveLength(1_000 - judgedFreely)

    expect((await post({ from: '2001:db8:1:2::77', signer: 'platform' })).status).toBe(200)
    expect((await post({ from: '203.0.113.9', signer: 'platform' })).status).toBe(200)
    expect((await post({ from: '203.0.113.9' })).status).toBe(401)
    const refused = await post({ from: '2001:db8:1:2:3::1' })
    expect([refused.status, refused.body.error, refused.body.details.limit]).toEqual([
      429,
      'rate_limited',
      'hooks-refused',
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('invented merchants, malformed ones too, share the budget of the network that invents them, on every replica', async () => {
    const one = await start({ ...behindProxy, rateHooksRefusedPerMinute: 4 })
    const two = await start({ ...behindProxy, rateHooksRefusedPerMinute: 4, redisPrefix: one.redisPrefix })
    const statuses: number[] = []
    for (const id of [randomUUID(), 'nobody', randomUUID(), 'nobody-else', randomUUID(), 'nobody'])
      statuses.push((await postTo(statuses.length % 2 ? two : one, merchantPath(id))()).status)
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429])
  })

  test('a network of which too much was refused is judged one post at a time and up to 64 KiB', async () => {
    const suspecting = await start({ ...behindProxy, rateHooksRefusedPerMinute: 1 })
    const post = postTo(suspecting)
    expect((await post()).status).toBe(401)
    let [running, most] = [0, 0]
    upstream.answers.set('receiveHook', async (request: Record<string, unknown>) => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      return judged(request)
    })
    const posts = Array.from({ length: 20 }, (_, i) => post(i % 2 ? { signer: 'platform' } : {}))
    const statuses = (await Promise.all(posts)).map(({ status }) => status)
    expect(statuses).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 ? 200 : 429)))
    expect(most).toBe(1)

    const asked = received().length
    expect((await post({ signer: 'platform', body: Buffer.alloc(64 * 1024 + 1) })).status).toBe(429)
    expect(received()).toHaveLength(asked)
    expect((await post({ signer: 'platform', body: Buffer.alloc(64 * 1024) })).status).toBe(200)
    expect((await post({ from: '203.0.113.2', signer: 'platform', body: Buffer.alloc(1024 * 1024) })).status).toBe(200)
  })

  test('posts that come together are judged no more at a time than may yet be refused, and what is signed waits', async () => {
    const together = await start({ ...behindProxy, rateHooksRefusedPerMinute: 4 })
    const post = postTo(together)
    const { promise, resolve } = Promise.withResolvers<void>()
    let [running, most] = [0, 0]
    upstream.answers.set('receiveHook', async (request: Record<string, unknown>) => {
      most = Math.max(most, ++running)
      await promise
      running--
      return judged(request)
    })
    const posts = Array.from({ length: 20 }, (_, i) => post(i % 2 ? { signer: 'platform' } : {}))
    await eventually(() => running === 4)
    resolve()
    const statuses = (await Promise.all(posts)).map(({ status }) => status)
    expect(statuses.filter((_, i) => i % 2)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(statuses.filter((status) => status === 401)).toHaveLength(4)
    expect(statuses.filter((status) => status === 429)).toHaveLength(6)
    expect(most).toBe(4)
  })

  test('a body that began before its network was suspect is judged as what that is when it ends', async () => {
    const slowly = await start({ ...behindProxy, rateHooksRefusedPerMinute: 1 })
    const slow = Array.from({ length: 3 }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const status = Promise.withResolvers<number>()
      const headers = { 'content-length': 100 * 1024, 'x-forwarded-for': '203.0.113.1', expect: '100-continue' }
      const sent = request(slowly.url + PLATFORM, { method: 'POST', agent: false, headers }, (response) => {
        response.resume()
        status.resolve(response.statusCode ?? 0)
      })
      sent.once('error', reject).once('continue', () => resolve(() => sent.end(Buffer.alloc(100 * 1024))))
      sent.flushHeaders()
      return { begun: promise, status: status.promise }
    })
    const begun = await Promise.all(slow.map((one) => one.begun))
    expect((await postTo(slowly)()).status).toBe(401)
    const asked = received().length
    for (const finish of begun) finish()
    expect(await Promise.all(slow.map((one) => one.status))).toEqual([429, 429, 429])
    expect(received()).toHaveLength(asked)
  })

  test('who has no turn in time at a network that nothing was refused of is told to come again: 503', async () => {
    const timely = await start(behindProxy)
    const { promise, resolve, reject } = Promise.withResolvers<{ status?: number; retryAfter?: string }>()
    const sent = request(timely.url + PLATFORM, { method: 'POST', agent: false }, (response) => {
      response.resume()
      resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'] } as { status: number })
    })
    sent.once('error', reject).write('{')
    // Longer than a request is worth an answer.
    setTimeout(() => sent.end('}'), 6_000)
    const late = await promise
    expect([late.status, Number(late.retryAfter) > 0]).toEqual([503, true])
  })

  test('without Redis each replica counts its share of refusals, and what is signed is taken', async () => {
    const redisUrl = `redis://127.0.0.1:${await freePort()}`
    const alone = await start({ ...behindProxy, redisUrl, rateHooksRefusedPerMinute: 6, gatewayReplicas: 2 })
    const post = postTo(alone)
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push((await post()).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect((await post({ signer: 'platform' })).status).toBe(200)
  })
})

describe('signed hooks are counted by their signer', () => {
  beforeEach(() => {
    upstream.answers.set('receiveHook', judged)
  })

  test("a merchant's own at its address however that is spelt, the platform's at every address", async () => {
    const limited = await start({ rateHooksPerMinute: 2, rateHooksPlatformPerMinute: 3 })
    const [merchant, other] = [randomUUID(), randomUUID()]
    const statusOf = async (path: string, signer: string) => (await postTo(limited, path)({ signer })).status
    const [plain, shouted] = [merchantPath(merchant), merchantPath(merchant.toUpperCase())]
    expect([await statusOf(plain, merchant), await statusOf(shouted, merchant)]).toEqual([200, 200])
    expect([await statusOf(plain, merchant), await statusOf(shouted, merchant)]).toEqual([429, 429])
    expect(await statusOf(merchantPath(other), other)).toBe(200)

    expect([await statusOf(plain, 'platform'), await statusOf(PLATFORM, 'platform')]).toEqual([200, 200])
    expect([await statusOf(PLATFORM, 'platform'), await statusOf(PLATFORM, 'platform')]).toEqual([200, 429])
    expect([await statusOf(plain, 'platform'), await statusOf(merchantPath(other), other)]).toEqual([429, 200])
    const refused = await postTo(limited)({ signer: 'platform' })
    expect(refused.body.details).toMatchObject({ limit: 'hooks', quota: 3 })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('of a shop each who says it is his has room of his own, whatever another of them sends', async () => {
    const limited = await start({ rateHooksPerMinute: 2 })
    const shop = `${randomUUID()}.example.com`
    const statusOf = async (claim: number, domain = shop) => {
      const headers = { 'x-storefront-a-shop-domain': domain, 'x-payments-a-signature': `${shop}#${claim}` }
      return (await call(limited.url, 'POST', '/webhooks/storefront-a', { body: '{}', headers })).status
    }
    expect([await statusOf(1), await statusOf(1), await statusOf(1)]).toEqual([200, 200, 429])
    expect([await statusOf(8), await statusOf(8, `https://${shop.toUpperCase()}/`)]).toEqual([200, 200])
    expect([await statusOf(8), await statusOf(1), await statusOf(2)]).toEqual([429, 429, 200])
  })

  test('a post that names more shops than a storefront ever does is nobody’s, and counts as refused', async () => {
    const limited = await start({ rateHooksRefusedPerMinute: 2 })
    const naming = (shops: number) => ({
      'x-payments-a-signature': `${randomUUID()}.example.com#1`,
      ...Object.fromEntries(
        Array.from({ length: shops }, (_, i) => [`x-${i}-shop-domain`, `${randomUUID()}.example.com`]),
      ),
    })
    const statusOf = async (shops: number) =>
      (await call(limited.url, 'POST', '/webhooks/storefront-a', { body: '{}', headers: naming(shops) })).status
    const judgedBefore = upstream.asked.length
    expect([await statusOf(5), await statusOf(100), await statusOf(5)]).toEqual([401, 401, 429])
    expect(upstream.asked.length).toBe(judgedBefore)
    expect(await statusOf(4)).toBe(200)
  })

  test('what is not taken counts for nobody', async () => {
    const limited = await start({ rateHooksPlatformPerMinute: 1 })
    const post = postTo(limited)
    for (let i = 0; i < 3; i++) expect((await post()).status).toBe(401)
    upstream.answers.set('receiveHook', new ServiceError('service_unavailable'))
    expect((await post({ signer: 'platform' })).status).toBe(503)
    upstream.answers.set('receiveHook', judged)
    expect((await post({ signer: 'platform' })).status).toBe(200)
  })
})
