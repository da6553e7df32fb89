import { ConnectionError, type CreateOrderBody, DispatchError, TimeoutError } from '@delivery-dispatch/sdk'
import { describe, expect, test } from '@jest/globals'
import { answering, cutShort, json, refusal, reset, silence } from './answering.ts'

const ORDER: CreateOrderBody = {
  schema_version: '1',
  source: 'api',
  external_order_id: 'web-1001',
  raw_payload: {},
  standardized: {
    pickup_address: '12 Marina Road, Lagos',
    dropoff_address: '4 Admiralty Way, Lekki',
    customer_name: 'Adaeze Okoro',
    customer_phone: '+2348012345678',
  },
} as CreateOrderBody
const CREATED = json(201, { ok: true, order_id: 'o-1' })
const NOW = { 'retry-after': '0' }

describe('a call', () => {
  test('goes to the path of its operation, with what it was given', async () => {
    await using server = await answering([json(200, { orders: [] })], {
      defaults: { actAsMerchant: 'm-1', environment: 'test', headers: { 'x-request-id': 'mine' } },
    })
    await server.dispatch.updateOrder('a/b', { status: 'cancelled' })
    await server.dispatch.listOrders({ status: 'pending', limit: 5, source: undefined }, { actAsMerchant: 'm-2' })
    await server.dispatch.getWallet(undefined, { headers: { 'x-request-id': 'other' } })
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'PATCH /v1/orders/a%2Fb',
      'GET /v1/orders?status=pending&limit=5',
      'GET /v1/me/wallet',
    ])
    expect(server.seen[0]).toMatchObject({
      body: '{"status":"cancelled"}',
      headers: {
        authorization: 'Bearer svc_test_key',
        'content-type': 'application/json',
        'x-service-act-as-merchant': 'm-1',
        'x-service-environment': 'test',
        'x-request-id': 'mine',
      },
    })
    expect(server.seen[1]?.headers).toMatchObject({ 'x-service-act-as-merchant': 'm-2' })
    expect(server.seen[2]?.headers).toMatchObject({ 'x-request-id': 'other' })
  })

  test.each(['', '.', '..'])('refuses %j as a part of a path: it would name another route', async (id) => {
    await using server = await answering([json(200, {})])
    expect(() => server.dispatch.getOrder(id)).toThrow('id must be a string, and neither empty nor')
    expect(server.seen).toEqual([])
  })

  test('tells what was refused by its code, with field, request and time to wait', async () => {
    const body = { error: 'validation_error', message: 'No.', details: { field: 'source' }, request_id: 'r-7' }
    await using server = await answering([json(400, body)])
    const error = await server.dispatch.createOrder(ORDER).catch((caught: unknown) => caught)
    if (!(error instanceof DispatchError)) throw error
    // Typed, those that any code has: the compiler holds this line.
    expect([error.details.field satisfies string | undefined, error.details.fields?.[0]?.rule]).toEqual([
      'source',
      undefined,
    ])
    expect(error).toMatchObject({
      status: 400,
      code: 'validation_error',
      message: 'No.',
      details: { field: 'source' },
      requestId: 'r-7',
    })
    expect(server.seen).toHaveLength(1)
  })

  test('is an error by its status where a proxy answers in our place', async () => {
    await using server = await answering([
      (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>no</h1>'),
    ])
    await expect(server.dispatch.getOrder('o-1')).rejects.toMatchObject({ status: 404, code: 'unknown' })
  })

  test('follows no redirect: its key would go where it was not meant for', async () => {
    await using server = await answering([
      (response) => response.writeHead(307, { location: '/v1/elsewhere' }).end(),
      json(200, {}),
    ])
    await expect(server.dispatch.getOrder('o-1')).rejects.toMatchObject({
      status: 307,
      message: expect.stringContaining('baseUrl'),
    })
    expect(server.seen).toHaveLength(1)
  })

  test('asks for another token once where one was refused', async () => {
    const asked: boolean[] = []
    await using server = await answering([refusal(401, 'unauthorized'), json(200, { id: 'o-1' })], {
      credential: (refused) => {
        asked.push(refused)
        return refused ? 'new' : 'old'
      },
    })
    await expect(server.dispatch.getOrder('o-1')).resolves.toEqual({ id: 'o-1' })
    expect(asked).toEqual([false, true])
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
  })
})

describe('a call that is answered by a fault', () => {
  const faults = {
    'a refusal for too many': refusal(429, 'rate_limited', NOW),
    'a service that is away': refusal(503, 'service_unavailable', NOW),
    'its own twin that is still carried out': refusal(409, 'idempotency_in_progress', NOW),
    'a connection that is reset': reset,
    'an answer that breaks off': cutShort,
  }
  test.each(Object.entries(faults))('is sent again after %s, with the same key', async (_, fault) => {
    await using server = await answering([fault, fault, CREATED])
    await expect(server.dispatch.createOrder(ORDER)).resolves.toMatchObject({ order_id: 'o-1' })
    expect(server.seen).toHaveLength(3)
    expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(server.seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('is sent again when no answer comes in time', async () => {
    await using server = await answering([silence, CREATED], { attemptTimeoutMs: 100 })
    await expect(server.dispatch.createOrder(ORDER)).resolves.toMatchObject({ order_id: 'o-1' })
    expect(server.seen).toHaveLength(2)
  })

  test('keeps a key that it was given', async () => {
    await using server = await answering([reset, CREATED])
    await server.dispatch.createOrder(ORDER, { idempotencyKey: 'mine' })
    expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine'])
  })

  test('is not sent again where it might act twice', async () => {
    await using server = await answering([reset])
    await expect(server.dispatch.createInviteCode({})).rejects.toBeInstanceOf(ConnectionError)
    await using away = await answering([refusal(503, 'service_unavailable', NOW)])
    await expect(away.dispatch.createInviteCode({})).rejects.toMatchObject({ code: 'service_unavailable' })
    expect([server.seen.length, away.seen.length]).toEqual([1, 1])
  })

  test('is sent again where it was refused unread, whatever it does', async () => {
    await using server = await answering([refusal(429, 'rate_limited', NOW), json(201, { code: 'A' })])
    await expect(server.dispatch.createInviteCode({})).resolves.toEqual({ code: 'A' })
  })

  test('ends with the last fault, after as many repeats as were allowed', async () => {
    await using server = await answering([refusal(503, 'service_unavailable', NOW)], { maxRetries: 2 })
    await expect(server.dispatch.getOrder('o-1')).rejects.toMatchObject({ status: 503 })
    expect(server.seen).toHaveLength(3)
  })

  test('does not wait beyond its own time', async () => {
    await using server = await answering([refusal(429, 'rate_limited', { 'retry-after': '3600' })])
    await expect(server.dispatch.getOrder('o-1')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 3600,
    })
    expect(server.seen).toHaveLength(1)
    await using silent = await answering([silence])
    await expect(silent.dispatch.getOrder('o-1', { timeoutMs: 200 })).rejects.toBeInstanceOf(TimeoutError)
  })

  test('ends at once where its caller no longer wants it', async () => {
    await using server = await answering([refusal(503, 'service_unavailable', { 'retry-after': '30' })])
    const caller = new AbortController()
    const call = server.dispatch.getOrder('o-1', { signal: caller.signal })
    setTimeout(() => caller.abort(new Error('enough')), 200)
    await expect(call).rejects.toThrow('enough')
  })
})
