import { request } from 'node:http'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { sharedMesh } from '@svc/testing'
import { type Api, orderBody, type SignedUp, signUp } from './merchant.ts'

const system = sharedMesh('journeys')
let merchant: SignedUp
let api: Api

beforeAll(async () => {
  merchant = await signUp(system.baseUrl)
  api = merchant.test
})

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

const jsonRoutes: Array<[string, string]> = [
  ['POST', '/v1/orders'],
  ['POST', '/v1/test/simulator/orders'],
  ['POST', '/v1/test/simulator/rider-action'],
  ['POST', '/v1/test/simulator/orders/auto'],
  ['PATCH', '/v1/me/outbound-webhook'],
  ['POST', '/v1/me/outbound-webhook/replay'],
  ['POST', '/v1/public/merchants/signup'],
  ['POST', '/v1/public/login'],
  ['POST', '/v1/auth/refresh'],
  ['POST', '/v1/me/api-keys'],
  ['POST', '/v1/admin/rbac/token'],
]

const hostile: Array<[string, string | Uint8Array]> = [
  ['nested 10,000 deep', nested(10_000).slice(0, 70_000)],
  ['nested 65 deep', `{"raw_payload":${nested(65)}}`],
  ['a NUL character', '{"raw_payload":{"a":"\\u0000"}}'],
  ['a lone high surrogate', '{"raw_payload":{"a":"\\ud800"}}'],
  ['a lone low surrogate in a key', '{"raw_payload":{"\\udc00":1}}'],
  ['a __proto__ key', '{"raw_payload":{"__proto__":{"admin":true}}}'],
  ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['20,000 keys', `{"raw_payload":{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join()}}}`],
  ['truncated JSON', '{"schema_version": "1"'],
  ['an array', '[]'],
  ['a string', '"x"'],
  ['null', 'null'],
  ['a number', '1e999'],
]

describe('hostile JSON is refused with 400 on every route that takes a body', () => {
  // Each route has a key of its own and each body an address of its own, so that no limit hides an answer.
  test.each(jsonRoutes.map(([method, path], index) => [method, path, index] as const))(
    '%s %s',
    async (method, path, index) => {
      const key = await merchant.owner.post('/v1/me/api-keys', { is_test: true })
      const caller = api.bearing(key.body.api_key)
      for (const [turn, [what, body]] of hostile.entries()) {
        const reply = await caller
          .callingFrom(`127.0.${100 + index}.${1 + turn}`)
          .send(method, path, body, { 'content-type': 'application/json' })
        expect([what, reply.status, reply.body.error]).toEqual([what, 400, 'validation_error'])
      }
    },
  )
})

describe('order creation names the offending field', () => {
  const faults: Array<[string, unknown, string]> = [
    ['standardized.pickup_address', undefined, 'standardized.pickup_address'],
    ['standardized.pickup_address', 'ab', 'standardized.pickup_address'],
    ['standardized.dropoff_address', 42, 'standardized.dropoff_address'],
    ['standardized.customer_phone', undefined, 'standardized.customer_phone'],
    ['standardized.customer_phone', 'call me', 'standardized.customer_phone'],
    ['standardized.weight_kg', 501, 'standardized.weight_kg'],
    ['standardized.weight_kg', -1, 'standardized.weight_kg'],
    ['standardized.length_cm', '10', 'standardized.length_cm'],
    ['standardized.vehicle_type_hint', 'bicycle', 'standardized.vehicle_type_hint'],
    ['standardized.pickup_lat', 91, 'standardized.pickup_lat'],
    ['standardized.items', [{}], 'standardized.items[0].name'],
    ['standardized.items', [{ name: 'a' }, { name: 'b', quantity: 0 }], 'standardized.items[1].quantity'],
    ['standardized.rider_id', '00000000-0000-4000-8000-000000000001', 'standardized.rider_id'],
    ['schema_version', '2', 'schema_version'],
    ['source', 'Upper Case', 'source'],
    ['external_order_id', '', 'external_order_id'],
    ['external_order_id', 'x'.repeat(513), 'external_order_id'],
    ['raw_payload', 'text', 'raw_payload'],
    ['standardized', null, 'standardized'],
  ]

  test.each(faults)('%s = %j', async (path, value, field) => {
    const body: Record<string, any> = orderBody()
    const [first, second] = path.split('.') as [string, string | undefined]
    if (second) body[first][second] = value
    else body[first] = value
    const reply = await merchant.owner.post('/v1/orders', body)
    expect([reply.status, reply.body.error, reply.body.details?.field]).toEqual([400, 'validation_error', field])
  })

  const times: Array<[Record<string, unknown>, string, string]> = [
    [{ scheduled_pickup_at: undefined }, 'missing_pickup_time', 'required'],
    [{ delivery_window_end: null }, 'missing_delivery_window', 'required'],
    [{ scheduled_pickup_at: 'tomorrow' }, 'invalid_pickup_time', 'iso8601'],
    [{ scheduled_pickup_at: '2020-01-01T00:00:00Z' }, 'invalid_pickup_time', 'in_future'],
    [{ delivery_window_start: 12 }, 'invalid_delivery_window', 'iso8601'],
    [
      { delivery_window_start: '2099-01-02T00:00:00Z', delivery_window_end: '2099-01-01T00:00:00Z' },
      'invalid_delivery_window',
      'start_before_end',
    ],
    [
      { scheduled_pickup_at: '2099-01-03T00:00:00Z', delivery_window_end: '2099-01-01T00:00:00Z' },
      'invalid_delivery_window',
      'pickup_before_window_end',
    ],
  ]

  test.each(times)('%j is %s', async (standardized, error, rule) => {
    const reply = await merchant.owner.post('/v1/orders', orderBody(standardized))
    expect([reply.status, reply.body.error, reply.body.details?.rule]).toEqual([400, error, rule])
  })
})

test.each(['/v1/test/simulator/orders', '/v1/test/simulator/orders/auto'])(
  '%s names a refused time as its own body spells it',
  async (path) => {
    const { pickup_address, dropoff_address, customer_phone } = orderBody().standardized
    const body = { external_order_id: 's-1', pickup_address, dropoff_address, customer_phone }
    const reply = await api.post(path, { ...body, scheduled_pickup_at: '2020-01-01T00:00:00Z' })
    expect([reply.status, reply.body.error, reply.body.details]).toEqual([
      400,
      'invalid_pickup_time',
      { field: 'scheduled_pickup_at', rule: 'in_future' },
    ])
  },
)

test('nothing that was refused left an order behind', async () => {
  const list = await merchant.owner.get('/v1/orders')
  expect(list.body.total).toBe(0)
})

test('unknown paths are 404 and wrong methods 405, before any credential is asked for', async () => {
  const missing = await fetch(`${system.baseUrl}/v1/nothing`)
  expect([missing.status, ((await missing.json()) as { error: string }).error]).toEqual([404, 'not_found'])
  const wrong = await fetch(`${system.baseUrl}/v1/orders`, { method: 'DELETE' })
  expect([wrong.status, ((await wrong.json()) as { error: string }).error]).toEqual([405, 'method_not_allowed'])
})

test('a duplicated credential header is refused', async () => {
  const url = new URL('/v1/orders', system.baseUrl)
  const status = await new Promise<number>((resolve, reject) => {
    const call = request(
      url,
      { headers: ['authorization', 'Bearer a', 'authorization', 'Bearer b', 'host', url.host] as never },
      (reply) => {
        reply.resume()
        resolve(reply.statusCode ?? 0)
      },
    )
    call.once('error', reject)
    call.end()
  })
  expect(status).toBe(400)
})

test('a body over 1 MiB is 413 and a body that is no JSON is 415', async () => {
  const big = await merchant.owner.post('/v1/orders', JSON.stringify(orderBody({ notes: 'x'.repeat(1_100_000) })))
  expect([big.status, big.body.error]).toEqual([413, 'payload_too_large'])
  const form = await merchant.owner.send('POST', '/v1/orders', 'a=1', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect([form.status, form.body.error]).toEqual([415, 'unsupported_media_type'])
})
