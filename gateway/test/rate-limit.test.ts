import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { freePort, testServers, uniquePrefix } from '@svc/testing'
import { Redis } from 'ioredis'
import { configSchema } from '../src/config.ts'
import { COUNT_REQUEST } from '../src/http/count-request.lua.ts'
import type { Route } from '../src/http/route.ts'
import { routes } from '../src/routes/index.ts'
import { addressOf, bodies } from '../src/samples/requests.ts'
import { call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault, type Vault } from './vault.ts'

let vault: Vault
let upstream: Upstream
const started: Running[] = []

beforeAll(async () => {
  vault = await createVault()
  upstream = await startUpstream(vault)
})

afterAll(async () => {
  for (const { gateway } of started) await gateway.stop()
  await upstream?.stop()
})

const start = async (overrides: Parameters<typeof startGateway>[1]) => {
  const running = await startGateway(upstream, overrides)
  started.push(running)
  return running
}

const list = ({ url }: Running, token: string) => call(url, 'GET', '/v1/orders', { token })
const count = (answers: Array<{ status: number }>, status: number) => answers.filter((a) => a.status === status).length

describe('limits in Redis', () => {
  test('two replicas together admit a key exactly its limit, however the requests fall', async () => {
    const one = await start({ rateTestKeyPerMinute: 40 })
    const two = await start({ rateTestKeyPerMinute: 40, redisPrefix: one.redisPrefix })
    const token = vault.key()
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => list(i % 2 ? one : two, token)))
    expect([count(answers, 200), count(answers, 429)]).toEqual([40, 60])
    expect((await list(one, vault.key())).status).toBe(200)
  })

  test('a key and the tokens minted from it share one budget', async () => {
    const running = await start({ rateTestKeyPerMinute: 4 })
    const key = vault.key()
    const token = await vault.keyToken(key)
    const statuses: number[] = []
    for (const credential of [key, token, key, token, key, token])
      statuses.push((await list(running, credential)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  })

  test('sixty keys of a merchant come to an end together, its other environment does not', async () => {
    const running = await start({ rateTestMerchantPerMinute: 90 })
    const keys = Array.from({ length: 60 }, () => vault.key())
    const answers = await Promise.all([...keys, ...keys].map((token) => list(running, token)))
    expect([count(answers, 200), count(answers, 429)]).toEqual([90, 30])
    const refused = await list(running, vault.key())
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"merchant";q=90;w=60'])
    expect((await list(running, await vault.keyToken(vault.key()))).status).toBe(429)
    expect((await list(running, vault.key({ isTest: false }))).status).toBe(200)
  })

  test('replies tell what is left, a refusal when to come back', async () => {
    const running = await start({ rateLiveKeyPerMinute: 2 })
    const token = vault.key({ isTest: false })
    const first = await list(running, token)
    expect(first.headers.get('ratelimit-policy')).toBe('"key";q=2;w=60')
    expect(first.headers.get('ratelimit')).toBe('"key";r=1;t=60')
    await list(running, token)
    const refused = await list(running, token)
    const seconds = Number(refused.headers.get('retry-after'))
    expect([refused.status, refused.body]).toMatchObject([
      429,
      {
        error: 'rate_limited',
        message: `Too many requests: the limit "key" is 2 in 60 s. Try again in ${seconds} s.`,
        details: { limit: 'key', quota: 2, window_seconds: 60 },
      },
    ])
    expect(seconds).toBeGreaterThanOrEqual(30)
    expect(seconds).toBeLessThanOrEqual(61)
    expect(refused.headers.get('ratelimit')).toBe(`"key";r=0;t=${seconds}`)
  })

  test('replies say in how many seconds the oldest request leaves the window, whichever version counted it', async () => {
    const running = await start({ rateTestKeyPerMinute: 60 })
    const redis = new Redis(running.redisUrl)
    try {
      for (const kept of ['the oldest', 'none', 'one that has left']) {
        const token = vault.key()
        const now = Number((await redis.time())[0])
        const slot = (at: number) => at % 61
        const o = { 'the oldest': now - 20, none: undefined, 'one that has left': now - 70 }[kept]
        const ring = { l: now - 5, t: 3, [slot(now - 20)]: 2, [slot(now - 5)]: 1, ...(o && { o }) }
        await redis.hset(`${running.redisPrefix}rate:60:key:${vault.entry(token).keyId}`, ring)
        for (const left of [56, 55]) {
          const told = (await list(running, token)).headers.get('ratelimit')
          expect([kept, told]).toEqual([kept, expect.stringMatching(new RegExp(`^"key";r=${left};t=(39|40|41)$`))])
        }
      }
    } finally {
      redis.disconnect()
    }
  })

  test('of several limits the headers name the one whose rest they tell: the tightest, or the one to wait for', async () => {
    const running = await start({ rateLoginPerMinute: 5, rateLoginPerHour: 3 })
    const body = { email: 'a@example.com', password: 'whatever it is' }
    const login = async () => {
      const { headers } = await call(running.url, 'POST', '/v1/public/login', { body })
      return [headers.get('ratelimit-policy'), headers.get('ratelimit'), headers.get('retry-after')]
    }
    const policy = '"login-hour";q=3;w=3600'
    // The minute may turn between them.
    const within = (left: number) => expect.stringMatching(new RegExp(`^"login-hour";r=${left};t=3(600|59\\d)$`))
    for (const left of [2, 1, 0]) expect(await login()).toEqual([policy, within(left), null])
    const [refusedBy, rest, seconds] = await login()
    expect([refusedBy, rest]).toEqual([policy, `"login-hour";r=0;t=${seconds}`])
    expect(Number(seconds)).toBeGreaterThan(60)
  })

  test('nobody can use up the budget of a key whose secret they do not have', async () => {
    const running = await start({ rateTestKeyPerMinute: 3 })
    const key = vault.key()
    const entry = vault.entry(key)
    const guessed = vault.key()
    vault.keys.delete(vault.entry(guessed).keyId)
    for (let i = 0; i < 5; i++) expect((await list(running, guessed)).status).toBe(401)
    expect(entry.epoch).toBe(1)
    expect((await list(running, key)).headers.get('ratelimit')).toContain('r=2')
  })

  test('public routes count per address, and bad credentials change nothing', async () => {
    const running = await start({ rateLoginPerMinute: 3 })
    const body = { email: 'a@example.com', password: 'whatever it is' }
    const login = (token?: string) => call(running.url, 'POST', '/v1/public/login', { body, token })
    const answers = [await login(), await login('svc_test_bad'), await login(), await login()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    expect((await call(running.url, 'POST', '/v1/public/login', { body, headers: forwarded })).status).toBe(429)
  })

  test('behind a trusted proxy the forwarded address counts, and only the part that the proxy wrote', async () => {
    const running = await start({ rateSignupPerHour: 1, trustedProxies: ['127.0.0.0/8'] })
    const body = { business_name: 'Kitchen', email: 'a@example.com', password: 'long enough it is' }
    const from = async (value: string) => {
      const sent = { body, headers: { 'x-forwarded-for': value } }
      return (await call(running.url, 'POST', '/v1/public/merchants/signup', sent)).status
    }
    expect(await from('203.0.113.7')).toBe(201)
    expect(await from('203.0.113.7')).toBe(429)
    expect(await from('198.51.100.1, 203.0.113.7')).toBe(429)
    expect(await from('203.0.113.8')).toBe(201)
  })
})

test('a request for a link whose field for robots is filled counts for its address, not for the e-mail address', async () => {
  const running = await start({ ratePasswordResetEmailPerHour: 1, ratePasswordResetPerHour: 4 })
  const ask = (body: object) => call(running.url, 'POST', '/v1/public/password-reset/request', { body })
  const email = 'owner@filled.example'
  for (let n = 0; n < 2; n++) expect((await ask({ email, website: 'https://spam.example' })).status).toBe(202)
  expect((await ask({ email, website: '' })).status).toBe(202)
  expect((await ask({ email })).body.details).toMatchObject({ limit: 'password-reset-email' })
  expect((await ask({ email, website: 'https://spam.example' })).body.details).toMatchObject({
    limit: 'password-reset',
  })
})

describe('a change of the password', () => {
  const body = { current_password: 'the one until now', new_password: 'another horse battery' }
  const change = ({ url }: Running, token: string, sent: object = body) =>
    call(url, 'POST', '/v1/auth/change-password', { token, body: sent })

  test('is for who logged in: a key and a token exchanged from one are 403 and reach no service', async () => {
    const running = await start({})
    const key = vault.key({ isTest: false })
    upstream.asked.length = 0
    for (const token of [key, await vault.keyToken(key)]) {
      const refused = await change(running, token)
      expect([refused.status, refused.body.error, refused.body.details]).toEqual([
        403,
        'forbidden',
        { reason: 'login_required' },
      ])
    }
    expect(upstream.asked.map(({ rpc }) => rpc)).not.toContain('changePassword')
    expect((await change(running, await vault.login())).status).toBe(200)
  })

  test('is tried by a user so often an hour, also when it succeeds and from however many log-ins', async () => {
    const running = await start({ ratePasswordChangePerHour: 2 })
    const [one, two] = [await vault.login({ sid: 'one' }), await vault.login({ sid: 'two' })]
    // What cannot be an attempt is none.
    expect((await change(running, one, { current_password: 'x' })).status).toBe(400)
    expect([(await change(running, one)).status, (await change(running, two)).status]).toEqual([200, 200])
    upstream.asked.length = 0
    const refused = await change(running, two)
    expect([refused.status, refused.body.details]).toEqual([
      429,
      { limit: 'password-change', quota: 2, window_seconds: 3600 },
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    expect(upstream.asked.map(({ rpc }) => rpc)).not.toContain('changePassword')
    expect((await list(running, two)).status).toBe(200)
  })
})

describe('an advance of the clock of a sandbox', () => {
  test('is made by a merchant so often a minute, with however many keys', async () => {
    const running = await start({ rateClockAdvancePerMinute: 2 })
    const [one, two] = [vault.key(), vault.key()]
    const advance = (token: string, seconds = 60) =>
      call(running.url, 'POST', '/v1/test/clock/advance', { token, body: { seconds } })
    // What cannot be an advance is none.
    expect((await advance(one, 0)).status).toBe(400)
    expect([(await advance(one)).status, (await advance(two)).status]).toEqual([200, 200])
    upstream.asked.length = 0
    const refused = await advance(two)
    expect([refused.status, refused.body.error, refused.body.details]).toEqual([
      429,
      'rate_limited',
      { limit: 'clock-advance', quota: 2, window_seconds: 60 },
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(upstream.asked.map(({ rpc }) => rpc)).not.toContain('advanceClock')
  })
})

const perAddress = routes.filter(
  ({ auth }) =>
    (auth.kind === 'public' || auth.kind === 'session') &&
    (auth.limits.length > 0 || (auth.kind === 'public' && auth.bodyLimits !== undefined)),
)

describe('limits per address', () => {
  let running: Running
  let network = 0
  /** Addresses of one /64, of a /48 that no other test has. */
  const house = () => {
    const wide = `2001:db8:${(network++).toString(16)}`
    return { in: (subnet: string, host: string) => `${wide}:${subnet}::${host}` }
  }
  const ask = (route: Route, from: string) =>
    call(running.url, route.method, addressOf(route), {
      body: bodies[route.operationId],
      headers: { 'x-forwarded-for': from },
    })
  beforeAll(async () => {
    const perAddressAlone = {
      rateTrackingTokenPerMinute: 100_000,
      ratePasswordResetEmailPerHour: 100_000,
      rateEmailVerificationEmailPerHour: 100_000,
    }
    const rates = Object.keys(configSchema.shape).filter((key) => key.startsWith('rate'))
    const lowest = Object.fromEntries(rates.map((key) => [key, 1]))
    running = await start({ ...lowest, ...perAddressAlone, trustedProxies: ['127.0.0.0/8'] })
  })

  test.each(perAddress.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s counts a /64 as one, however its addresses are spelt',
    async (_name, route) => {
      const home = house()
      expect((await ask(route, home.in('1', '1'))).status).not.toBe(429)
      for (const host of ['1', '2', '0003', 'ffff:1:2', 'A']) {
        const refused = await ask(route, home.in('1', host))
        expect([host, refused.status, refused.body.error]).toEqual([host, 429, 'rate_limited'])
      }
      expect((await ask(route, home.in('2', '1'))).status).not.toBe(429)
    },
  )

  test('a /48 has ten times the limit of one client: nobody walks through its 65,536 networks', async () => {
    const [signup] = routes.filter(({ operationId }) => operationId === 'signUpMerchant')
    const home = house()
    const statuses: number[] = []
    for (let subnet = 1; subnet <= 12; subnet++)
      statuses.push((await ask(signup as Route, home.in(subnet.toString(16), '1'))).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429])
    const refused = await ask(signup as Route, home.in('ffff', '1'))
    expect(refused.body.details).toEqual({ limit: 'signup-network', quota: 10, window_seconds: 3600 })
  })
})

describe('the counting script', () => {
  test('a window slides: what is older than it is free again, what is younger is not', async () => {
    const { redisUrl } = await testServers()
    const redis = new Redis(redisUrl)
    const key = `${uniquePrefix()}window`
    try {
      const [seconds] = await redis.time()
      const now = Number(seconds)
      // Two requests 40 s ago, three 61 s ago.
      const slot = (at: number) => at % 61
      await redis.hset(key, { l: now - 40, t: 5, [slot(now - 40)]: 2, [slot(now - 61)]: 3 })
      const ask = () => redis.eval(COUNT_REQUEST, 1, key, 1, 4, 1) as Promise<number[]>
      expect((await ask()).slice(0, 3)).toEqual([1, 1, 1])
      expect((await ask()).slice(0, 3)).toEqual([1, 1, 0])
      const [admitted, , , retry] = (await ask()) as [number, number, number, number]
      expect(admitted).toBe(0)
      expect(retry).toBeGreaterThanOrEqual(5)
      expect(retry).toBeLessThanOrEqual(21)
      expect(await redis.ttl(key)).toBeGreaterThan(30)
    } finally {
      await redis.del(key)
      redis.disconnect()
    }
  })
})

test('what has happened is counted however much is used up, each limit by itself, and leaves with its window', async () => {
  const { redisUrl } = await testServers()
  const redis = new Redis(redisUrl)
  const keys = [`${uniquePrefix()}over`, `${uniquePrefix()}fine`] as const
  const ask = (...happened: number[]) =>
    redis.eval(COUNT_REQUEST, 2, ...keys, 2, 3, 1, 5, 60, 'each', ...happened) as Promise<number[]>
  const admittedAndLeft = ([a, left, , b, other]: number[]) => [a, left, b, other]
  try {
    expect(admittedAndLeft(await ask(0, 0))).toEqual([1, 2, 1, 4])
    expect(await redis.exists(...keys)).toBe(0)
    expect(admittedAndLeft(await ask(2, 1))).toEqual([1, 0, 1, 3])
    expect(admittedAndLeft(await ask(4, 0))).toEqual([0, -4, 1, 3])
    expect(admittedAndLeft(await ask(0, 4))).toEqual([0, -4, 0, -1])
    expect([await redis.hget(keys[0], 't'), await redis.hget(keys[1], 't')]).toEqual(['6', '5'])
    expect(await redis.ttl(keys[0])).toBeGreaterThan(0)
    expect(await redis.ttl(keys[1])).toBeGreaterThan(3_000)
  } finally {
    await redis.del(...keys)
    redis.disconnect()
  }
})

test('a limit that does not refuse is not counted wrong by one that does', async () => {
  const { redisUrl } = await testServers()
  const redis = new Redis(redisUrl)
  const [fine, full] = [`${uniquePrefix()}fine`, `${uniquePrefix()}full`]
  try {
    const now = Number((await redis.time())[0])
    const slot = (at: number) => at % 61
    // Of five requests four are too old to count.
    await redis.hset(fine, { l: now - 40, t: 5, [slot(now - 40)]: 1, [slot(now - 65)]: 4 })
    await redis.hset(full, { l: now, t: 1, [slot(now)]: 1 })
    const ask = (...args: [number, ...(string | number)[]]) => redis.eval(COUNT_REQUEST, ...args) as Promise<number[]>
    for (let i = 0; i < 3; i++) expect((await ask(2, fine, full, 2, 3, 1, 1, 1))[0]).toBe(0)
    expect((await ask(1, fine, 1, 3, 1)).slice(0, 3)).toEqual([1, 1, 1])
  } finally {
    await redis.del(fine, full)
    redis.disconnect()
  }
})

describe('without Redis', () => {
  test('requests are served, each replica granting its share, and readiness says degraded', async () => {
    const port = await freePort()
    const running = await start({ redisUrl: `redis://127.0.0.1:${port}`, rateTestKeyPerMinute: 10, gatewayReplicas: 2 })
    const token = vault.key()
    const answers = []
    for (let i = 0; i < 8; i++) answers.push(await list(running, token))
    expect([count(answers, 200), count(answers, 429)]).toEqual([5, 3])
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
    const ready = await call(running.url, 'GET', '/health/ready')
    expect([ready.status, ready.body.status, ready.body.checks.redis]).toEqual([200, 'degraded', 'failed'])
  })

  test('a revocation bites when the verdict runs out', async () => {
    const port = await freePort()
    const running = await start({ redisUrl: `redis://127.0.0.1:${port}`, verdictTtlMs: 1 })
    const token = vault.key()
    expect((await list(running, token)).status).toBe(200)
    Object.assign(vault.entry(token), { verdict: 'revoked', epoch: 2 })
    expect((await list(running, token)).status).toBe(401)
  })
})
