import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { cpuMsOf } from '@svc/testing/cpu-ms-of'
import fc from 'fast-check'
import { readJson } from '../src/http/read-json.ts'
import { routes } from '../src/routes/index.ts'
import { orderBody, pathOf, standardized } from '../src/samples/requests.ts'
import { call } from './call.ts'
import { effectsOf, type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault, goodToken, type Vault } from './vault.ts'

let vault: Vault
let upstream: Upstream
let running: Running
let key: string

beforeAll(async () => {
  vault = await createVault()
  upstream = await startUpstream(vault)
  running = await startGateway(upstream)
  key = vault.key()
})

afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
const withRaw = (raw: string) => JSON.stringify(orderBody).replace('"raw_payload":{}', `"raw_payload":${raw}`)

const hostile: Array<[string, string | Uint8Array, string]> = [
  ['objects nested 10,000 deep', withRaw(nested('{"a":', '}', 10_000)), 'too_deep'],
  ['arrays nested 10,000 deep', withRaw(`{"a":${nested('[', ']', 10_000)}}`), 'too_deep'],
  ['objects nested 64 deep inside the body', withRaw(nested('{"a":', '}', 64)), 'too_deep'],
  ['a NUL character', withRaw('{"a":"x\\u0000y"}'), 'nul_character'],
  ['a NUL character in a key', withRaw('{"\\u0000":1}'), 'nul_character'],
  ['a lone high surrogate', withRaw('{"a":"\\ud800"}'), 'lone_surrogate'],
  ['a lone low surrogate in a key', withRaw('{"\\udc00":1}'), 'lone_surrogate'],
  ['a __proto__ key', withRaw('{"__proto__":{"polluted":true}}'), 'forbidden_key'],
  ['an escaped __proto__ key', withRaw('{"\\u005f_proto__":1}'), 'forbidden_key'],
  ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 'invalid_utf8'],
  ['an overlong encoding', new Uint8Array([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]), 'invalid_utf8'],
  ['20,000 keys', withRaw(`{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join()}}`), 'too_many_keys'],
  ['60,000 arrays', withRaw(`{"a":[${Array(60_000).fill('[]').join()}]}`), 'too_many_containers'],
  ['a number beyond doubles', withRaw('{"a":1e999}'), 'number_out_of_range'],
  ['JSON that stops', '{"schema_version": "1"', 'malformed_json'],
  ['an array', '[]', 'not_an_object'],
  ['a string', '"x"', 'not_an_object'],
  ['null', 'null', 'not_an_object'],
]

describe('JSON made to hurt is refused with 400 and reaches no service', () => {
  const withBody = routes.filter(({ method, body, upload }) => method !== 'GET' && body && !upload)

  test.each(hostile)('%s', async (_what, body, reason) => {
    upstream.asked.length = 0
    for (const { method, path, auth, bodyLimits } of withBody) {
      // Five thousand rows have as many keys.
      if (bodyLimits && reason === 'too_many_keys') continue
      const token = await goodToken(vault, auth)
      const answer = await call(running.url, method, pathOf(path), { token, body })
      expect([path, answer.status, answer.body.error, answer.body.details?.reason]).toEqual([
        path,
        400,
        'validation_error',
        reason,
      ])
    }
    expect(effectsOf(upstream)).toEqual([])
  })

  test('what stays below the limits is stored as it was sent', async () => {
    upstream.asked.length = 0
    const raw = { deep: JSON.parse(nested('{"a":', '}', 60)), emoji: '😀', constructor: 'x', text: '\u2028' }
    const answer = await call(running.url, 'POST', '/v1/orders', {
      token: key,
      body: { ...orderBody, raw_payload: raw },
    })
    expect(answer.status).toBe(201)
    const { request } = upstream.asked.find(({ rpc }) => rpc === 'createOrder') ?? {}
    expect(JSON.parse(request?.['raw_payload_json'] as string)).toEqual(raw)
    expect(JSON.parse(request?.['standardized_json'] as string)).toEqual(standardized)
  })

  test('the digits of the opaque payload are those that were sent, also where a number of ours has fewer', async () => {
    upstream.asked.length = 0
    const raw = '{"order":{"id":820982911946154508,"ids":[9122821270554876574]},"total":19.90}'
    expect((await call(running.url, 'POST', '/v1/orders', { token: key, body: withRaw(raw) })).status).toBe(201)
    const { request } = upstream.asked.find(({ rpc }) => rpc === 'createOrder') ?? {}
    expect(request?.['raw_payload_json']).toBe(raw.replace('19.90', '19.9'))
  })

  test('what a business submits keeps every digit, wherever in it', async () => {
    upstream.asked.length = 0
    const papers = '{"account":12345678901234567890,"directors":[{"id":9007199254740993}]}'
    expect((await call(running.url, 'POST', '/v1/me/kyb/submit', { token: key, body: papers })).status).toBe(200)
    const { request } = upstream.asked.find(({ rpc }) => rpc === 'submitKyb') ?? {}
    expect(request?.['payload_json']).toBe(papers)
  })

  test('costs less than twice as much where one of many numbers is long, and no digit of it is lost', async () => {
    const shorts = Array(479_000).fill('1').join()
    const [long, plain] = ['1234567890123456789', '1'].map((first) =>
      Buffer.from(withRaw(`{"a":[${first},${shorts}]}`)),
    ) as [Buffer, Buffer]
    const read = (bytes: Buffer) => JSON.stringify(readJson(bytes, 'raw_payload')['raw_payload'])
    expect(read(long).slice(0, 30)).toBe('{"a":[1234567890123456789,1,1,')
    // The best of several rounds by turns: others use the machine too.
    const best = { long: Number.POSITIVE_INFINITY, plain: Number.POSITIVE_INFINITY }
    for (let round = 0; round < 15; round++) {
      best.plain = Math.min(best.plain, await cpuMsOf(() => read(plain)))
      best.long = Math.min(best.long, await cpuMsOf(() => read(long)))
    }
    expect(best.long).toBeLessThan(2 * best.plain)
  })

  test('no JSON value whatever makes order creation answer 500', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 5 }),
        fc.constantFrom('raw_payload', 'standardized', 'source'),
        async (json, at) => {
          const body = JSON.stringify({ ...orderBody, [at]: 'HERE' }).replace('"HERE"', () => json)
          const answer = await call(running.url, 'POST', '/v1/orders', { token: key, body })
          expect([201, 400]).toContain(answer.status)
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('the envelope of a body', () => {
  test('more than 1 MiB is 413, announced or not', async () => {
    const big = withRaw(`{"a":"${'x'.repeat(1_100_000)}"}`)
    const announced = await call(running.url, 'POST', '/v1/orders', { token: key, body: big })
    expect([announced.status, announced.body.error]).toEqual([413, 'payload_too_large'])
    const stream = new Blob([big]).stream()
    const response = await fetch(`${running.url}/v1/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
  })

  test('what is not said to be plain JSON is 415', async () => {
    const types = ['application/x-www-form-urlencoded', 'text/plain', 'application/json; charset=utf-16', '']
    for (const type of types) {
      const headers = { 'content-type': type }
      const answer = await call(running.url, 'POST', '/v1/orders', { token: key, body: '{}', headers })
      expect([type, answer.status, answer.body.error]).toEqual([type, 415, 'unsupported_media_type'])
    }
    const packed = { 'content-encoding': 'gzip' }
    const compressed = await call(running.url, 'POST', '/v1/orders', { token: key, body: '{}', headers: packed })
    expect([compressed.status, compressed.body.message]).toEqual([415, expect.stringContaining('Content-Encoding')])
    const spelt = { 'content-type': 'Application/JSON; charset="UTF-8"' }
    const good = await call(running.url, 'POST', '/v1/orders', {
      token: key,
      body: JSON.stringify(orderBody),
      headers: spelt,
    })
    expect(good.status).toBe(201)
  })

  test('a route that needs no field takes no body at all', async () => {
    const answer = await call(running.url, 'POST', '/v1/auth/token', { token: key })
    expect(answer.status).toBe(200)
  })
})

describe('a fault in an order is named by its path', () => {
  const faults: Array<[object, string, string, number?]> = [
    [{ pickup_address: undefined }, 'standardized.pickup_address', 'required'],
    [{ pickup_address: 'ab' }, 'standardized.pickup_address', 'min', 3],
    [{ customer_phone: '12' }, 'standardized.customer_phone', 'pattern'],
    [{ weight_kg: 501 }, 'standardized.weight_kg', 'max', 500],
    [{ weight_kg: '5' }, 'standardized.weight_kg', 'type'],
    [{ items: [{ name: 'a' }, {}] }, 'standardized.items[1].name', 'required'],
    [{ items: [{ name: 'a', quantity: 0 }] }, 'standardized.items[0].quantity', 'min', 1],
    [{ items: [{ name: 'a', quantity: 1.5 }] }, 'standardized.items[0].quantity', 'integer'],
    [{ items: Array(201).fill({ name: 'a' }) }, 'standardized.items', 'max', 200],
    [{ pickup_lat: 6.4 }, 'standardized.pickup_lng', 'required_together'],
    [{ dropoff_lat: 91, dropoff_lng: 0 }, 'standardized.dropoff_lat', 'max', 90],
    [{ vehicle_type_hint: 'bicycle' }, 'standardized.vehicle_type_hint', 'enum'],
    [{ rider_id: 'somebody' }, 'standardized.rider_id', 'uuid'],
  ]

  test.each(faults)('%j', async (...fault) => {
    const [change, field, rule, limit] = fault
    const body = { ...orderBody, standardized: { ...standardized, ...change } }
    const { status, body: answer } = await call(running.url, 'POST', '/v1/orders', { token: key, body })
    expect([status, answer.details.field, answer.details.rule, answer.details.limit]).toEqual([400, field, rule, limit])
    expect(answer.message).toContain(field.split('.').at(-1)?.split('[')[0])
    expect(answer.details.fields[0]).toEqual(expect.objectContaining({ field, rule, message: expect.any(String) }))
  })

  test('all faults are listed, the first one on top', async () => {
    const { body } = await call(running.url, 'POST', '/v1/orders', { token: key, body: { standardized: {} } })
    expect(body.details.fields.map(({ field }: { field: string }) => field)).toEqual([
      'schema_version',
      'source',
      'external_order_id',
      'raw_payload',
      'standardized.pickup_address',
      'standardized.dropoff_address',
      'standardized.customer_phone',
    ])
    expect(body.details.field).toBe('schema_version')
  })

  test('times and keys of its own making pass to the service untouched', async () => {
    upstream.asked.length = 0
    const sent = {
      ...standardized,
      scheduled_pickup_at: 42,
      delivery_window_end: null,
      colour: 'red',
      customer_name: null,
    }
    const body = { ...orderBody, schema_version: 1, standardized: sent }
    expect((await call(running.url, 'POST', '/v1/orders', { token: key, body })).status).toBe(201)
    const { request } = upstream.asked.find(({ rpc }) => rpc === 'createOrder') ?? {}
    expect(JSON.parse(request?.['standardized_json'] as string)).toEqual(sent)
  })
})
