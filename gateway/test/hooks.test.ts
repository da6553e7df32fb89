import { randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import { routes } from '../src/routes/index.ts'
import { call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { pathOf } from './samples.ts'
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

  test('a compressed body is handed on compressed: its signature is over these bytes', async () => {
    const body = gzipSync('{"event":"charge.success"}')
    expect(await sendRaw(PLATFORM, ['content-encoding', 'gzip'], body)).toBe(200)
    expect(Buffer.from(received()[0]?.['body'] as Uint8Array).equals(body)).toBe(true)
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

test('each merchant has its own number of hooks a minute, however its id is spelt, and the platform another', async () => {
  const limited = await start({ rateHooksPerMinute: 2 })
  const post = async (path: string) => (await call(limited.url, 'POST', path, { body: '{}' })).status
  const [one, other] = [`/webhooks/payments-a/${randomUUID()}`, `/webhooks/payments-a/${randomUUID()}`]
  const shouted = one.replace(/[^/]+$/, (id) => id.toUpperCase())
  expect([await post(one), await post(shouted), await post(one), await post(shouted)]).toEqual([200, 200, 429, 429])
  expect([await post(other), await post(PLATFORM), await post(PLATFORM), await post(PLATFORM)]).toEqual([
    200, 200, 200, 429,
  ])
  const refused = await call(limited.url, 'POST', PLATFORM, { body: '{}' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const merchants = received().map((hook) => hook['merchant_id'])
  expect(merchants.filter((id) => id === one.split('/').at(-1))).toHaveLength(2)
})
