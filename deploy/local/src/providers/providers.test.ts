import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { AwsClient } from 'aws4fetch'
import { Router } from 'express'
import { LOCAL_OBJECT_STORE } from './object-store/provider.ts'
import { PROVIDERS } from './registry.ts'
import { createProviders, type Providers } from './server.ts'
import { createWorld } from './world.ts'

let providers: Providers

beforeEach(async () => {
  providers = createProviders()
  await providers.start()
})
afterEach(() => providers.stop())

const mail = { from: 'Dispatch <no-reply@dispatch.test>', to: ['ada@shop.test'], subject: 'Hello', text: 'It works' }

const send = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${providers.url()}/email-a/emails`, {
    method: 'POST',
    headers: { authorization: 'Bearer re_test', 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const json = (answer: Response): Promise<any> => answer.json()

const control = async (path: string, body?: unknown): Promise<any> => {
  const answer = await fetch(`${providers.url()}/__control/${path}`, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  return { status: answer.status, ...((await answer.json()) as object) }
}

test('a mail that was accepted is in the outbox and can be read back', async () => {
  const { id } = await json(await send({ ...mail, tags: [{ name: 'template', value: 'endpoint_failing' }] }))
  const { items } = await control('outbox')
  expect(items).toEqual([
    expect.objectContaining({
      id,
      channel: 'email',
      to: 'ada@shop.test',
      template: 'endpoint_failing',
      subject: 'Hello',
      text: 'It works',
    }),
  ])
  const read = await fetch(`${providers.url()}/email-a/emails/${id}`, { headers: { authorization: 'Bearer re_test' } })
  expect(await read.json()).toMatchObject({
    object: 'email',
    id,
    to: ['ada@shop.test'],
    last_event: 'delivered',
    html: null,
  })
  const unknown = await fetch(`${providers.url()}/email-a/emails/nope`, {
    headers: { authorization: 'Bearer re_test' },
  })
  expect([unknown.status, await unknown.json()]).toEqual([
    404,
    { statusCode: 404, name: 'not_found', message: 'Email not found' },
  ])
})

test('the token of a link and the code of a text can be read from the outbox', async () => {
  await send({ ...mail, html: '<a href="http://app.test/verify?token=abc_1-2.x&amp;l=en">go</a>' })
  await send({ ...mail, text: 'Your code is 123456.' })
  const { items } = await control('outbox')
  expect(items.map(({ token, code }: { token?: string; code?: string }) => ({ token, code }))).toEqual([
    { token: 'abc_1-2.x', code: undefined },
    { token: undefined, code: '123456' },
  ])
})

test('the same idempotency key sends one mail, and refuses another body', async () => {
  const key = { 'idempotency-key': 'first-dead/1' }
  const ids = await Promise.all([send(mail, key), send(mail, key)].map(async (sent) => (await json(await sent)).id))
  expect(new Set(ids).size).toBe(1)
  const other = await send({ ...mail, subject: 'Other' }, key)
  expect([other.status, (await json(other)).name]).toEqual([409, 'invalid_idempotent_request'])
  expect((await control('outbox')).items).toHaveLength(1)
  expect((await send(mail, { 'idempotency-key': 'k'.repeat(257) })).status).toBe(400)
})

test.each([
  ['no key', mail, { authorization: '' }, 401, 'missing_api_key'],
  ['no recipient', { ...mail, to: undefined }, {}, 422, 'missing_required_field'],
  ['no content', { ...mail, text: undefined }, {}, 422, 'validation_error'],
  ['a malformed address', { ...mail, to: ['ada'] }, {}, 422, 'validation_error'],
  ['no JSON', 'x=1', {}, 422, 'missing_required_field'],
])('a mail with %s is refused as the provider refuses it', async (_what, body, headers, status, name) => {
  const answer = await send(body, headers as Record<string, string>)
  expect(answer.status).toBe(status)
  expect(await answer.json()).toEqual({ statusCode: status, name, message: expect.any(String) })
  expect((await control('outbox')).items).toEqual([])
})

test.each([
  ['status', 0],
  ['html_500', 0],
  ['reset_before', 0],
  ['reset_after_commit', 1],
  ['garbage_json', 1],
  ['delay', 1],
])('the fault %s is on record, hits once, and leaves %i mail behind', async (mode, committed) => {
  expect(
    (await control('faults', { provider: 'email-a', match: { method: 'POST', path: '/emails' }, mode, delayMs: 5 }))
      .status,
  ).toBe(200)
  const outcome = await send(mail).then(
    async (answer) => ({ status: answer.status, text: await answer.text() }),
    () => 'connection lost' as const,
  )
  const expected: Record<string, unknown> = {
    status: { status: 503, text: expect.any(String) },
    html_500: { status: 500, text: expect.stringContaining('<html>') },
    reset_before: 'connection lost',
    reset_after_commit: 'connection lost',
    garbage_json: { status: 200, text: '{"id": "4f' },
    delay: { status: 200, text: expect.stringContaining('"id"') },
  }
  expect(outcome).toEqual(expected[mode])
  expect((await control('outbox')).items).toHaveLength(committed)
  const { requests } = await control('requests')
  expect(requests).toEqual([
    expect.objectContaining({ provider: 'email-a', method: 'POST', path: '/emails', body: mail }),
  ])
  expect((await send(mail)).status).toBe(200)
})

test('a fault hits only what it names, as often as it says', async () => {
  await control('faults', { provider: 'email-a', match: { path: '/emails/*' }, mode: 'status', status: 429, count: 2 })
  expect((await send(mail)).status).toBe(200)
  const read = (): Promise<Response> =>
    fetch(`${providers.url()}/email-a/emails/x`, { headers: { authorization: 'Bearer k' } })
  expect([(await read()).status, (await read()).status, (await read()).status]).toEqual([429, 429, 404])
  expect((await control('faults', { provider: 'email-b', mode: 'delay' })).message).toContain('email-a')
  expect((await control('faults', { provider: 'email-a', mode: 'explode' })).status).toBe(400)
})

test('reset forgets mails, keys, requests, faults and the clock', async () => {
  expect(await control('clock', { now: '2030-01-01T00:00:00Z' })).toMatchObject({
    now: expect.stringMatching(/^2030-01-01T00:00:0/),
  })
  const key = { 'idempotency-key': 'k' }
  const before = (await json(await send(mail, key))).id
  expect((await control('outbox')).items[0].at).toMatch(/^2030-01-01/)
  await control('faults', { provider: 'email-a', mode: 'status' })
  await control('reset', {})
  expect(await control('outbox')).toMatchObject({ items: [] })
  expect(await control('requests')).toMatchObject({ requests: [] })
  const again = await send({ ...mail, subject: 'Other' }, key)
  expect([again.status, (await json(again)).id]).toEqual([200, before])
  expect((await control('outbox')).items[0].at).not.toMatch(/^2030/)
})

test('emit names the providers where the one asked for sends no hooks', async () => {
  const { status, message } = await control('emit', { provider: 'object-store', body: {} })
  expect(status).toBe(400)
  expect(message).toContain('object-store')
})

test('a hook reaches the platform byte for byte, signed as asked, as often as asked', async () => {
  const received: Array<{ url?: string; signature?: unknown; body: string }> = []
  const platform = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ url: request.url, signature: request.headers['x-signature'], body })
      response.writeHead(202).end('taken')
    })
  })
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve))
  const sender = createProviders({
    platformUrl: `http://127.0.0.1:${(platform.address() as AddressInfo).port}`,
    factories: [
      () => ({
        name: 'payments',
        router: Router(),
        reset() {},
        hooks: {
          defaultPath: '/webhooks/payments',
          signModes: ['bad'],
          headers: (body, sign) => ({ 'x-signature': `${sign}:${body.length}` }),
        },
      }),
    ],
  })
  await sender.start()
  try {
    const answer = await fetch(`${sender.url()}/__control/emit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'payments', body: '{ "a" :1}', sign: 'bad', times: 2 }),
    })
    expect(await answer.json()).toEqual({
      deliveries: [
        { status: 202, body: 'taken' },
        { status: 202, body: 'taken' },
      ],
    })
    expect(received).toEqual(Array(2).fill({ url: '/webhooks/payments', signature: 'bad:9', body: '{ "a" :1}' }))
  } finally {
    await sender.stop()
    await new Promise((resolve) => platform.close(resolve))
  }
})

const sms = { api_key: 'k', to: '2348031234567', from: 'Dispatch', type: 'plain', channel: 'dnd' }

const sendSms = (body: unknown): Promise<Response> =>
  fetch(`${providers.url()}/messaging-a/api/sms/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('a text message lands in the outbox with its code, under an id that no double can hold', async () => {
  const answer = await sendSms({ ...sms, sms: 'Your code is 123456.' })
  const text = await answer.text()
  expect(text).toMatch(/"code":"ok","message_id":\d{19},/)
  const { items } = await control('outbox')
  expect(items).toEqual([
    expect.objectContaining({ channel: 'sms', to: '+2348031234567', template: 'otp', code: '123456' }),
  ])
  expect(text).toContain(items[0].id)
})

test.each([
  ['without a key', { ...sms, api_key: undefined, sms: 'x' }, 401],
  ['to a number with a plus', { ...sms, to: '+2348031234567', sms: 'x' }, 400],
  ['without a text', sms, 400],
])('a text message %s is refused', async (_what, body, status) => {
  expect((await sendSms(body)).status).toBe(status)
  expect((await control('outbox')).items).toEqual([])
})

describe('credentials', () => {
  const basic = (secret: string) => `Basic ${Buffer.from(`owners:${secret}`).toString('base64')}`
  const mayCome = async (path: string, init: RequestInit = {}) =>
    (await fetch(`${providers.url()}/${path}`, init)).status !== 401
  const asks: ReadonlyArray<readonly [provider: string, ask: (credential: string) => Promise<boolean>]> = [
    ['email-a', (key) => mayCome('email-a/emails/none', { headers: { authorization: `Bearer ${key}` } })],
    ['messaging-a', (key) => mayCome(`messaging-a/api/get-balance?api_key=${key}`)],
    ['cloud', (secret) => mayCome(`cloud/v21.0/oauth/access_token?client_id=1&client_secret=${secret}&code=x`)],
    ['cloud', (secret) => mayCome('cloud/v21.0/debug_token', { headers: { authorization: `Bearer 1|${secret}` } })],
    ['oidc', (secret) => mayCome('oidc/token', { method: 'POST', headers: { authorization: basic(secret) } })],
    [
      'object-store',
      async (end) => {
        const [accessKeyId, secretAccessKey] = [end, end.replace('access', 'secret')]
        const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'local' })
        const { url } = await client.sign(`${providers.url()}/object-store/kyb/1.pdf?X-Amz-Expires=60`, {
          aws: { signQuery: true, allHeaders: true },
        })
        const { status } = await fetch(url)
        // Nothing is there, for whom may look.
        expect([401, 404]).toContain(status)
        return status === 404
      },
    ],
  ]

  test.each(asks)('of %s are all taken till it is said which, and are counted', async (provider, ask) => {
    const [old, fresh] = ['local-access-key', 'local-access-key-2']
    expect([await ask(old), await ask(fresh)]).toEqual([true, true])
    await control('credentials', { provider, taken: [fresh] })
    expect([await ask(old), await ask(fresh)]).toEqual([false, true])
    expect((await control('credentials')).items).toEqual([
      { provider, credential: old, taken: 1, refused: 1 },
      { provider, credential: fresh, taken: 2, refused: 0 },
    ])
    await control('reset', {})
    expect(await ask(old)).toBe(true)
  })

  test('are asked of providers that know clients by one', async () => {
    const { status, message } = await control('credentials', { provider: 'payments-b', taken: ['x'] })
    expect([status, message]).toEqual([400, expect.stringContaining('cloud, email-a, messaging-a, object-store, oidc')])
  })
})

describe('the object store', () => {
  const client = new AwsClient({ ...LOCAL_OBJECT_STORE, service: 's3', region: 'local' })
  const presign = async (method: string, headers: Record<string, string> = {}, seconds = 60) => {
    const url = `${providers.url()}/object-store/photos/r/1.jpg?X-Amz-Expires=${seconds}`
    return (await client.sign(url, { method, headers, aws: { signQuery: true, allHeaders: true } })).url
  }
  const put = async (url: string, contentType = 'image/jpeg') =>
    (
      await fetch(url, {
        method: 'PUT',
        headers: { 'content-type': contentType },
        body: new Uint8Array([0xff, 0xd8, 1]),
      })
    ).status

  test('keeps what a signed upload brings, byte for byte', async () => {
    expect(await put(await presign('PUT', { 'content-type': 'image/jpeg' }))).toBe(200)
    const read = await fetch(await presign('GET'))
    expect(read.headers.get('content-type')).toBe('image/jpeg')
    expect([...new Uint8Array(await read.arrayBuffer())]).toEqual([0xff, 0xd8, 1])
  })

  test('lets no upload replace another that was signed to be the first', async () => {
    const once = { 'content-type': 'image/jpeg', 'if-none-match': '*' }
    const url = await presign('PUT', once)
    const send = async (headers: Record<string, string>) =>
      (await fetch(url, { method: 'PUT', headers, body: new Uint8Array([1]) })).status
    expect(await send({ 'content-type': 'image/jpeg' })).toBe(403)
    expect([await send(once), await send(once)]).toEqual([200, 412])
  })

  test('refuses another method, another type, another key and a late upload', async () => {
    const url = await presign('PUT', { 'content-type': 'image/jpeg' })
    expect(await put(url, 'text/html')).toBe(403)
    expect(await put(url.replace('/1.jpg', '/2.jpg'))).toBe(403)
    expect((await fetch(url)).status).toBe(403)
    await control('clock', { now: new Date(Date.now() + 61_000).toISOString() })
    expect(await put(url)).toBe(403)
  })
})

describe('mail that came', () => {
  const bearer = { headers: { authorization: 'Bearer re_test' } }
  const received = (path: string): Promise<Response> =>
    fetch(`${providers.url()}/email-a/emails/receiving/${path}`, bearer)
  const attachment = { id: 'att_1', filename: 'order.png', content_type: 'image/png', content_base64: 'AAEC' }

  test('is told of as the real provider does, and its attachments are downloaded by signed URLs until they expire', async () => {
    expect((await received('e-1')).status).toBe(404)
    await control('emails/e-1', { subject: 'Order', text: 'Phone: 1', attachments: [attachment] })
    const mail = await json(await received('e-1'))
    expect(mail).toMatchObject({ object: 'email', id: 'e-1', subject: 'Order', text: 'Phone: 1', html: null })
    expect(mail.attachments).toEqual([expect.objectContaining({ id: 'att_1', content_type: 'image/png', size: 3 })])
    expect(mail.raw.expires_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/)
    const { download_url: url } = await json(await received('e-1/attachments/att_1'))
    expect([...new Uint8Array(await (await fetch(url)).arrayBuffer())]).toEqual([0, 1, 2])
    expect((await fetch(url.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')))).status).toBe(403)
    await control('emails/e-1', { attachments: [attachment], urls_for_seconds: -1 })
    const { download_url: ended } = await json(await received('e-1/attachments/att_1'))
    expect((await fetch(ended)).status).toBe(403)
  })

  test('is announced by a notice that is signed over its id, its time and its body', () => {
    const secret = `whsec_${Buffer.from('a key of twenty-four byte').toString('base64')}`
    const make = PROVIDERS.map((factory) => factory(createWorld(), { ...SECRETS, emailInboundSecret: secret }))
    const { hooks } = make.find(({ name }) => name === 'email-a')!
    const signed = hooks!.headers(Buffer.from('{}'), 'good', new Date(1_614_265_330_000))
    const text = `${signed['svix-id']}.1614265330.{}`
    const right = createHmac('sha256', 'a key of twenty-four byte').update(text).digest('base64')
    expect(signed).toMatchObject({ 'svix-timestamp': '1614265330', 'svix-signature': `v1,${right}` })
  })
})

const SECRETS = {
  platformUrl: '',
  paymentsSecretKey: '',
  paymentsBSecret: 'secret-of-a-local-run',
  messagingSecretKey: 'secret-of-a-local-run',
  emailInboundSecret: 'whsec_c2VjcmV0IG9mIGEgbG9jYWwgcnVu',
}

test.each([
  ['payments-b', 'good', 'payments-b-signature', 'iEGt+2uRg9/yliIfqhzUHLpU2CeKWGpW0e+B3blTG64='],
  ['payments-b', 'plain', 'verif-hash', 'secret-of-a-local-run'],
  [
    'messaging-a',
    'good',
    'x-messaging-a-signature',
    'b8b5bf3c1c8d3aa8db3452589c03f6ee5f16254a63c2ec8bfb5c94c851d4eface09ef7d68cd69417e4567fa779bdb40ddd3ec0f89a8568c522a6a9c2968962c0',
  ],
])('a hook of %s is signed (%s) as the real one signs', async (name, sign, header, value) => {
  const provider = PROVIDERS.map((make) => make(createWorld(), SECRETS)).find((each) => each.name === name)
  expect(provider!.hooks!.headers(Buffer.from('{}'), sign, new Date())).toEqual({ [header]: value })
})
