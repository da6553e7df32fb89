import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { mintApiKey } from '@svc/credentials'
import { eventually, freePort } from '@svc/testing'
import type { Redis } from 'ioredis'
import { bodies, orderBody } from '../src/samples/requests.ts'
import { call } from './call.ts'
import { type Asked, type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { startTwoGateways } from './two-gateways.ts'
import { createVault, type Vault } from './vault.ts'

let vault: Vault
let upstream: Upstream
let running: Running
let other: Running
let redis: Redis
let stop: (() => Promise<void>) | undefined

beforeAll(async () => {
  ;({ vault, upstream, running, other, redis, stop } = await startTwoGateways())
})

afterAll(() => stop?.())

const get = (token: string, at = running) => call(at.url, 'GET', '/v1/orders', { token })
const askedOf = (rpc: string) => upstream.asked.filter((asked) => asked.rpc === rpc)
/** What admin does before it answers a revocation. */
const raise = (credential: string, epoch: number) => redis.set(`${running.redisPrefix}epoch:${credential}`, epoch)

describe('API keys', () => {
  test('a malformed key costs no call', async () => {
    upstream.asked.length = 0
    const good = vault.key()
    const wrongChecksum = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0')
    for (const token of ['svc_test_short', wrongChecksum, 'svc_live_', `${good}x`]) {
      const answer = await get(token)
      expect([answer.status, answer.body.details.reason]).toEqual([401, 'invalid'])
    }
    expect(upstream.asked).toEqual([])
  })

  test('what is wrong with the form of a credential is told; of a well-formed one nothing is', async () => {
    const good = vault.key()
    const wrongChecksum = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0')
    const refused = async (headers: Record<string, string>) => {
      const { status, headers: sent, body } = await call(running.url, 'GET', '/v1/orders', { headers })
      expect([status, sent.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer/)])
      return body.details
    }
    const bearer = (token: string) => refused({ authorization: `Bearer ${token}` })
    expect(await bearer(wrongChecksum)).toEqual({ reason: 'invalid', problem: 'checksum' })
    expect(await bearer(good.slice(0, -3))).toEqual({ reason: 'invalid', problem: 'not_a_key' })
    expect(await refused({ 'x-api-key': 'sk_live_123' })).toEqual({ reason: 'invalid', problem: 'not_a_key' })
    expect(await refused({ authorization: `Basic ${good}` })).toEqual({ reason: 'invalid', problem: 'scheme' })
    expect(await refused({ authorization: good })).toEqual({ reason: 'invalid', problem: 'scheme' })
    expect(await bearer(mintApiKey({ isTest: true }).text)).toEqual({ reason: 'invalid' })
    expect(await refused({})).toEqual({ reason: 'missing' })
  })

  test('an unknown key is asked for once and stays invalid', async () => {
    upstream.asked.length = 0
    const { text } = mintApiKey({ isTest: true })
    for (let i = 0; i < 3; i++) expect((await get(text)).body.details.reason).toBe('invalid')
    expect(askedOf('verifyApiKey').length).toBe(1)
  })

  test('fifty requests at once with a fresh key ask admin once', async () => {
    upstream.asked.length = 0
    const token = vault.key()
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(askedOf('verifyApiKey').length).toBe(1)
  })

  test('keys in use are judged anew together before their verdicts run out, and one that was revoked unannounced is not served on', async () => {
    const keys = Array.from({ length: 20 }, () => vault.key())
    const revoked = keys[7] as string
    const all = () => Promise.all(keys.map((token) => get(token)))
    for (const { status } of await all()) expect(status).toBe(200)
    upstream.asked.length = 0
    Object.assign(vault.entry(revoked), { verdict: 'revoked' })
    await eventually(
      async () => {
        const answers = await all()
        const asked = askedOf('verifyApiKeys').map(({ request }) => request['keys'] as object[])
        return answers[7]?.status === 401 && asked.some((together) => together.length > 10)
      },
      { timeoutMs: 60_000, intervalMs: 200 },
    )
    for (const [nth, { status }] of (await all()).entries()) expect(status).toBe(nth === 7 ? 401 : 200)
  })

  test('the caller that services see is the one the key stands for', async () => {
    upstream.asked.length = 0
    const token = vault.key({ scopes: ['orders:read'], isTest: false })
    await call(running.url, 'GET', '/v1/orders', { token, headers: { 'x-request-id': 'given-by-client' } })
    expect(askedOf('listOrders')[0]?.caller).toEqual(
      expect.objectContaining({
        kind: 'merchant',
        merchantId: vault.merchantId,
        isTest: false,
        scopes: ['orders:read'],
        actor: { type: 'merchant_key', id: vault.entry(token).keyId },
        credentialEpoch: 1,
        requestId: 'given-by-client',
        ip: '127.0.0.1',
        standing: { billingStatus: 'active', kybStatus: 'verified', businessApprovalStatus: 'approved' },
      }),
    )
  })

  test('a revocation bites on the next request at every replica, whatever they had cached', async () => {
    const token = vault.key()
    const entry = vault.entry(token)
    for (const at of [running, other]) expect((await get(token, at)).status).toBe(200)
    Object.assign(entry, { verdict: 'revoked', epoch: 2 })
    await raise(`key:${entry.keyId}`, 2)
    for (const at of [running, other]) {
      const answer = await get(token, at)
      expect([answer.status, answer.body.details.reason]).toEqual([401, 'revoked'])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  test('services learn in which epoch a key or its token was judged', async () => {
    const key = vault.key()
    upstream.asked.length = 0
    await get(key)
    await get(await vault.keyToken(key))
    vault.entry(key).epoch = 2
    await raise(`key:${vault.entry(key).keyId}`, 2)
    await get(key)
    expect(askedOf('listOrders').map(({ caller }) => caller.credentialEpoch)).toEqual([1, 1, 2])
  })

  test('a revocation that is announced but not yet committed is not forgotten', async () => {
    const token = vault.key()
    const entry = vault.entry(token)
    expect((await get(token)).status).toBe(200)
    await raise(`key:${entry.keyId}`, 2)
    expect((await get(token)).status).toBe(200)
    Object.assign(entry, { verdict: 'revoked', epoch: 2 })
    expect((await get(token)).status).toBe(401)
  })

  test('a live key of a merchant who may not trade is 403 with the reason', async () => {
    const token = vault.key({ isTest: false })
    Object.assign(vault.entry(token), { verdict: 'suspended' })
    const answer = await get(token)
    expect([answer.status, answer.body.error]).toEqual([403, 'kyb_required'])
    expect(answer.body.details).toEqual({ kyb_status: 'verified', business_approval_status: 'approved' })
  })
})

describe('API keys that nobody has', () => {
  const invented = () => mintApiKey({ isTest: true }).text
  const started: Running[] = []
  const start = async (overrides: Parameters<typeof startGateway>[1] = {}) => {
    const behindProxy = { trustedProxies: ['127.0.0.0/8'], rateUnknownKeysPerMinute: 120 }
    const one = await startGateway(upstream, { ...behindProxy, ...overrides })
    started.push(one)
    return one
  }
  const from = async (address: string, token: string, at: Running) =>
    call(at.url, 'GET', '/v1/orders', { token, headers: { 'x-forwarded-for': address } })
  afterAll(async () => {
    for (const { gateway } of started) await gateway.stop()
  })

  test('are 429 without a lookup beyond 120 a minute from one network, one after the other or all at once', async () => {
    const flooded = await start()
    upstream.asked.length = 0
    const inTurn: number[] = []
    for (let i = 0; i < 20; i++) inTurn.push((await from(`2001:db8:3:3::${i}`, invented(), flooded)).status)
    expect(new Set(inTurn)).toEqual(new Set([401]))
    const atOnce = await Promise.all(
      Array.from({ length: 200 }, (_, i) => from(`2001:db8:3:3:1::${i}`, invented(), flooded)),
    )
    expect(atOnce.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(100)
    for (let i = 0; i < 120; i++) await from('2001:db8:3:3::1', invented(), flooded)
    expect(askedOf('verifyApiKey').length).toBe(120)
    const refused = await from('2001:db8:3:3::1', invented(), flooded)
    expect([refused.status, refused.body.error, refused.body.details.limit]).toEqual([
      429,
      'rate_limited',
      'unknown-keys',
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await from('2001:db8:3:3::1', 'svc_test_short', flooded)).status).toBe(401)
    expect((await from('203.0.113.4', invented(), flooded)).status).toBe(401)
    expect((await from('203.0.113.4', vault.key(), flooded)).status).toBe(200)
  })

  test('shut out no key that is in use: not from their address, not when its verdict has run out, on no replica', async () => {
    const settings = { rateUnknownKeysPerMinute: 2, verdictTtlMs: 1 }
    const one = await start(settings)
    const two = await start({ ...settings, redisPrefix: one.redisPrefix })
    const [used, fresh] = [vault.key(), vault.key()]
    const home = '203.0.113.5'
    expect((await from(home, used, one)).status).toBe(200)
    for (const status of [401, 401, 429]) expect((await from(home, invented(), one)).status).toBe(status)
    for (const at of [one, two, one]) expect((await from(home, used, at)).status).toBe(200)
    for (const at of [one, two]) expect((await from(home, fresh, at)).status).toBe(429)
    // The id of a key in use does not help whoever does not have its secret.
    const { keyId } = vault.entry(used)
    expect((await from(home, mintApiKey({ isTest: true, keyId }).text, one)).status).toBe(429)
  })

  test('count what was revoked too, and without Redis each replica counts its share', async () => {
    const redisUrl = `redis://127.0.0.1:${await freePort()}`
    const alone = await start({ redisUrl, rateUnknownKeysPerMinute: 4, gatewayReplicas: 2, verdictTtlMs: 1 })
    const home = '203.0.113.6'
    const [used, revoked] = [vault.key(), vault.key()]
    for (const key of [used, revoked]) expect((await from(home, key, alone)).status).toBe(200)
    Object.assign(vault.entry(revoked), { verdict: 'revoked', epoch: 2 })
    expect((await from(home, revoked, alone)).status).toBe(401)
    expect((await from(home, invented(), alone)).status).toBe(401)
    expect((await from(home, invented(), alone)).status).toBe(429)
    expect((await from(home, used, alone)).status).toBe(200)
  })

  /** Answers of admin that come no sooner than they are let go. */
  async function held<T>(during: (release: () => void) => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>()
    upstream.hold = promise
    try {
      return await during(resolve)
    } finally {
      resolve()
      upstream.hold = Promise.resolve()
    }
  }

  test('from all networks of a /48 at once are no more lookups than the /48 may have', async () => {
    const wide = await start({ rateUnknownKeysPerMinute: 1 })
    upstream.asked.length = 0
    const statuses = await held(async (release) => {
      const many = Array.from({ length: 30 }, (_, i) => from(`2001:db8:4:${i.toString(16)}::1`, invented(), wide))
      await eventually(() => askedOf('verifyApiKey').length === 10)
      await from('203.0.113.40', 'svc_test_short', wide)
      release()
      return (await Promise.all(many)).map(({ status }) => status)
    })
    expect(askedOf('verifyApiKey').length).toBe(10)
    expect(statuses.filter((status) => status === 401).length).toBe(10)
    expect(statuses.filter((status) => status === 429).length).toBe(20)
  })

  test('are none of many good keys behind one address that come together: each waits its turn', async () => {
    const office = await start({ rateUnknownKeysPerMinute: 3 })
    upstream.asked.length = 0
    const statuses = await held(async (release) => {
      const many = Array.from({ length: 12 }, () => from('203.0.113.41', vault.key(), office))
      await eventually(() => askedOf('verifyApiKey').length === 3)
      release()
      return (await Promise.all(many)).map(({ status }) => status)
    })
    expect(statuses).toEqual(Array.from({ length: 12 }, () => 200))
  })

  test('keep nobody at their address from logging in with a test key that is not in use: it binds nothing', async () => {
    const office = await start({ rateUnknownKeysPerMinute: 2 })
    const [unused, used] = [vault.key(), vault.key()]
    const home = '203.0.113.42'
    expect((await from(home, used, office)).status).toBe(200)
    for (const status of [401, 401, 429]) expect((await from(home, invented(), office)).status).toBe(status)
    const logIn = (key: string) =>
      call(office.url, 'POST', '/v1/auth/rider/phone-otp/verify', {
        body: bodies['verifyRiderLogin'],
        headers: { 'x-api-key': key, 'x-forwarded-for': home, 'x-service-environment': 'test' },
      })
    for (const [key, merchantId] of [
      [unused, undefined],
      [used, vault.merchantId],
    ] as const) {
      upstream.asked.length = 0
      expect((await logIn(key)).status).toBe(200)
      expect(askedOf('verifyRiderLogin')[0]?.caller.merchantId).toBe(merchantId)
    }
  })
})

describe('tokens', () => {
  test('a revoked key takes the tokens minted from it with it', async () => {
    const key = vault.key()
    const entry = vault.entry(key)
    const token = await vault.keyToken(key)
    expect((await get(token)).status).toBe(200)
    Object.assign(entry, { verdict: 'revoked', epoch: 2 })
    await raise(`key:${entry.keyId}`, 2)
    expect((await get(token)).body.details.reason).toBe('revoked')
  })

  test('the second request with a token asks nobody', async () => {
    const token = await vault.login()
    await get(token)
    upstream.asked.length = 0
    expect((await get(token)).status).toBe(200)
    expect(upstream.asked.map(({ rpc }) => rpc)).toEqual(['listOrders'])
  })

  test('an expired token is 401 expired, one with forged or foreign claims 401 invalid', async () => {
    const past = Math.floor(Date.now() / 1000) - 60
    expect((await get(await vault.login({ exp: past }))).body.details.reason).toBe('expired')
    const forged = [
      { merchant_id: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11' },
      { scopes: ['orders:fly'] },
      { scopes: 'orders:read' },
      { role: 'admin' },
      { credential: 'operator:x' },
      { is_test: 'no' },
      { sid: undefined },
      { aud: 'svc:admin' },
    ]
    for (const claims of forged) {
      const answer = await get(await vault.login(claims))
      expect([claims, answer.status, answer.body.details?.reason]).toEqual([claims, 401, 'invalid'])
    }
    const [head, claims, signature] = (await vault.login()).split('.') as [string, string, string]
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
    for (const token of [`${none}.${claims}.`, `${head}.${claims}.${signature.split('').toReversed().join('')}`]) {
      expect((await get(token)).body.details.reason).toBe('invalid')
    }
  })

  test('Authorization wins over X-API-Key, and only a key is taken there', async () => {
    const key = vault.key()
    const headers = { 'x-api-key': key }
    expect((await call(running.url, 'GET', '/v1/orders', { headers })).status).toBe(200)
    expect((await call(running.url, 'GET', '/v1/orders', { headers, token: 'svc_test_x' })).status).toBe(401)
    const token = { 'x-api-key': await vault.login() }
    expect((await call(running.url, 'GET', '/v1/orders', { headers: token })).status).toBe(401)
  })
})

describe('headers that would mean two things', () => {
  const twice = (name: string, values: [string, string], more: string[] = []) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const url = new URL('/v1/orders', running.url)
      const headers = ['host', url.host, name, values[0], name, values[1], ...more]
      const sent = request(url, { headers: headers as never }, (response) => {
        let body = ''
        response.on('data', (chunk) => (body += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      })
      sent.once('error', reject).end()
    })

  test.each(['Authorization', 'X-API-Key', 'Idempotency-Key', 'X-Service-Act-As-Merchant'])(
    'a repeated %s is 400, even where both are good',
    async (name) => {
      const key = vault.key()
      const value = name === 'Authorization' ? `Bearer ${key}` : key
      const more = name === 'Idempotency-Key' || name.includes('Act-As') ? ['Authorization', `Bearer ${key}`] : []
      const answer = await twice(name, [value, value], more)
      expect([answer.status, JSON.parse(answer.body).details.rule]).toEqual([400, 'duplicate_header'])
    },
  )
})

describe('the wall between test and live', () => {
  const simulate = (token: string) =>
    call(running.url, 'POST', '/v1/test/simulator/rider-action', {
      token,
      body: { order_id: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11', action: 'accept' },
    })

  test('a live key, and a token minted from one, stay out of the simulator', async () => {
    const live = vault.key({ isTest: false })
    for (const token of [live, await vault.keyToken(live)]) {
      const answer = await simulate(token)
      expect([answer.status, answer.body.error]).toEqual([403, 'test_mode_required'])
    }
  })

  test('a login reads both sides, writes live, writes test when it says so, and simulates test', async () => {
    const token = await vault.login()
    const post = (headers = {}) => call(running.url, 'POST', '/v1/orders', { token, body: orderBody, headers })
    upstream.asked.length = 0
    await get(token)
    await post()
    await post({ 'x-service-environment': 'test' })
    await simulate(token)
    const sides = upstream.asked.filter(({ caller }) => caller.kind === 'merchant').map(({ caller }) => caller.isTest)
    expect(sides).toEqual([null, false, true, true])
  })
})

describe('idempotency keys', () => {
  const create = (key: string | undefined, body: object) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    return call(running.url, 'POST', '/v1/orders', { token: vault.key(), body, headers })
  }
  const hash = () => {
    const [{ request }] = askedOf('createOrder').slice(-1) as [Asked]
    return Buffer.from((request['idempotency'] as { request_hash: Uint8Array }).request_hash).toString('hex')
  }

  test('the fingerprint ignores the order of keys and nothing else', async () => {
    await create('k', orderBody)
    const first = hash()
    await create('k', Object.fromEntries(Object.entries(orderBody).toReversed()))
    expect(hash()).toBe(first)
    await create('k', { ...orderBody, unknown_to_us: 1 })
    expect(hash()).not.toBe(first)
  })

  test('a key outside 1 to 255 printable ASCII characters is 400 naming the header', async () => {
    for (const key of ['x'.repeat(256), 'tab\tinside', 'ümlaut']) {
      const answer = await create(key, orderBody)
      expect([answer.status, answer.body.details.field]).toEqual([400, 'Idempotency-Key'])
    }
    expect((await create('x'.repeat(255), orderBody)).status).toBe(201)
  })
})

test('without the service that judges credentials the door stays shut, with 503', async () => {
  const own = await createVault()
  const away = await startUpstream(own)
  const at = await startGateway(away)
  try {
    const token = own.key()
    expect((await get(token, at)).status).toBe(200)
    await away.stopAdmin()
    const answer = await get(own.key(), at)
    expect([answer.status, answer.body.error]).toEqual([503, 'service_unavailable'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    const ready = await call(at.url, 'GET', '/health/ready')
    expect([ready.status, ready.body.checks.services.admin]).toEqual([503, 'failed'])
    expect((await call(at.url, 'GET', '/health')).status).toBe(200)
  } finally {
    await at.gateway.stop()
    await away.stop()
  }
})
