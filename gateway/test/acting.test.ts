import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SCOPES } from '@svc/credentials'
import { eventually, freePort } from '@svc/testing'
import type { Redis } from 'ioredis'
import type { Route } from '../src/http/route.ts'
import { routes } from '../src/routes/index.ts'
import { addressOf, bodies, orderBody } from '../src/samples/requests.ts'
import { call } from './call.ts'
import { effectsOf, type Running, startGateway, type Upstream } from './fixture.ts'
import { startTwoGateways } from './two-gateways.ts'
import type { Granted, Vault } from './vault.ts'

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

/** A merchant that has granted the vault's merchant to act for it. */
function granted(grant: Partial<Granted> = {}): string {
  const grantor = randomUUID()
  vault.grants.set(grantor, { scopes: SCOPES, isTest: false, epoch: 1, isActive: true, mayTradeLive: true, ...grant })
  return grantor
}

/** What admin does before it answers a revocation. */
async function revoke(grantor: string): Promise<void> {
  const grant = vault.grants.get(grantor) as Granted
  Object.assign(grant, { isActive: false, epoch: grant.epoch + 1 })
  await redis.set(`${running.redisPrefix}epoch:grant:${grantor}:${vault.merchantId}`, grant.epoch)
}

const as = (grantor: string) => ({ 'x-service-act-as-merchant': grantor })
const list = (token: string, grantor: string, at = running) =>
  call(at.url, 'GET', '/v1/orders', { token, headers: as(grantor) })
const place = (token: string, grantor: string, headers = {}) =>
  call(running.url, 'POST', '/v1/orders', { token, body: orderBody, headers: { ...as(grantor), ...headers } })
const askedOf = (rpc: string) => upstream.asked.filter((asked) => asked.rpc === rpc)

/** Where a merchant acts for itself alone: what is made there outlives a grant, is money, or is answered to the owner. */
const IN_PERSON = [
  /^\S+ \/v1\/me\/api-keys/,
  /^(POST|PUT|PATCH|DELETE) \/v1\/me\/workspace-grants/,
  /^POST \/v1\/auth\/(.+\/)?token$/,
  /^POST \/v1\/auth\/change-password$/,
  /^\S+ \/v1\/me\/kyb/,
  /^\S+ \/v1\/me\/withdrawals/,
  /^\S+ \/v1\/me\/payout-instruments/,
  /^POST \/v1\/me\/cod-remittances/,
  /^POST \/v1\/me\/commission-dispute-intake$/,
  /^PUT \/v1\/me\/ingestion\//,
  /^POST \/v1\/me\/messaging-app\//,
  /^POST \/v1\/me\/billing\/payments-a-subscription-create$/,
]

const ofMerchants = routes.filter(({ auth }) => auth.kind === 'merchant' || auth.kind === 'merchant_or_rider')
const served = ofMerchants.filter(({ replies }) => Object.keys(replies).length > 0)
const named = (list: readonly Route[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const)

describe('acting for a grantor', () => {
  test.each(named(served))(
    '%s is served in its tenant, or refuses whoever is not there in person',
    async (name, route) => {
      const grantor = granted()
      const token = vault.key()
      upstream.asked.length = 0
      const body = bodies[route.operationId]
      const answer = await call(running.url, route.method, addressOf(route), { token, body, headers: as(grantor) })
      if (IN_PERSON.some((pattern) => pattern.test(name))) {
        expect([answer.status, answer.body.details]).toEqual([403, { reason: 'acting_for_another' }])
        expect(effectsOf(upstream)).toEqual([])
        return
      }
      expect([Object.keys(route.replies), answer.body.error]).toEqual([
        expect.arrayContaining([String(answer.status)]),
        undefined,
      ])
      const asked = upstream.asked.filter(({ caller }) => caller.kind === 'merchant')
      expect(asked.length).toBeGreaterThan(0)
      for (const { caller } of asked)
        expect(caller).toMatchObject({
          merchantId: grantor,
          actingFor: grantor,
          actor: { type: 'merchant_key', id: vault.entry(token).keyId },
          standing: { billingStatus: 'trialing' },
        })
      const recorded = askedOf('recordDelegatedAct').map(({ request }) => request['operation'])
      expect(recorded).toEqual(route.method === 'GET' ? [] : [route.operationId])
    },
  )

  test('needs an active grant, to the very merchant that calls: never silently the own account', async () => {
    const token = vault.key()
    const malformed = await list(token, 'not-a-uuid')
    expect([malformed.status, malformed.body.details.field]).toEqual([400, 'X-Service-Act-As-Merchant'])
    for (const grantor of [randomUUID(), granted({ isActive: false }), vault.merchantId]) {
      const answer = await list(token, grantor)
      expect([answer.status, answer.body.details]).toEqual([403, { reason: 'no_active_grant' }])
    }
    expect((await list(token, granted().toUpperCase())).status).toBe(200)
  })

  test('gives the scopes that both have, and no more', async () => {
    const token = vault.key({ scopes: ['orders:read', 'keys:manage'] })
    const grantor = granted({ scopes: ['orders:read', 'orders:write'] })
    upstream.asked.length = 0
    expect((await list(token, grantor)).status).toBe(200)
    expect(askedOf('listOrders')[0]?.caller.scopes).toEqual(['orders:read'])
    const refused = await place(token, grantor)
    expect([refused.status, refused.body.details]).toEqual([403, { required: ['orders:write'] }])
    const nothing = await list(token, granted({ scopes: ['webhooks:manage'] }))
    expect([nothing.status, nothing.body.details]).toEqual([403, { reason: 'no_common_scope' }])
  })

  test('ends with the very next request on every replica once the grant is revoked', async () => {
    const token = vault.key()
    const grantor = granted()
    for (const at of [running, other, running, other]) expect((await list(token, grantor, at)).status).toBe(200)
    await revoke(grantor)
    for (const at of [running, other]) {
      const answer = await list(token, grantor, at)
      expect([answer.status, answer.body.details]).toEqual([403, { reason: 'no_active_grant' }])
    }
  })

  test('ends within the life of a verdict while Redis is away, and a change at once', async () => {
    const away = await startGateway(upstream, { redisUrl: `redis://127.0.0.1:${await freePort()}` })
    try {
      const token = vault.key()
      const grantor = granted()
      expect((await list(token, grantor, away)).status).toBe(200)
      Object.assign(vault.grants.get(grantor) as Granted, { isActive: false, epoch: 2 })
      const revokedAt = performance.now()
      const change = { token, body: orderBody, headers: as(grantor) }
      expect((await call(away.url, 'POST', '/v1/orders', change)).status).toBe(403)
      await eventually(async () => expect((await list(token, grantor, away)).status).toBe(403))
      const seconds = ((performance.now() - revokedAt) / 1000).toFixed(1)
      process.stdout.write(`without Redis a read by a revoked grant was refused after ${seconds} s\n`)
    } finally {
      await away.gateway.stop()
    }
  })

  test('asks for a grant once while it is fresh, and each time where there is none', async () => {
    const token = vault.key()
    const grantor = granted()
    upstream.asked.length = 0
    for (let i = 0; i < 3; i++) await list(token, grantor)
    expect(askedOf('verifyWorkspaceGrant')).toHaveLength(1)
    const nobody = randomUUID()
    for (let i = 0; i < 3; i++) await list(token, nobody)
    expect(askedOf('verifyWorkspaceGrant')).toHaveLength(4)
  })

  test('changes nothing that is not on record, nor after the end of a grant that a gateway still believes in', async () => {
    const token = vault.key()
    const grantor = granted()
    expect((await list(token, grantor)).status).toBe(200)
    // Redis was not told.
    Object.assign(vault.grants.get(grantor) as Granted, { isActive: false, epoch: 2 })
    upstream.asked.length = 0
    const refused = await place(token, grantor)
    expect([refused.status, refused.body.details]).toEqual([403, { reason: 'no_active_grant' }])
    expect(askedOf('createOrder')).toEqual([])
  })

  test('records who changes what, where, after it is known to be well-formed', async () => {
    const token = vault.key()
    const grantor = granted()
    upstream.asked.length = 0
    await call(running.url, 'POST', '/v1/orders', { token, body: {}, headers: as(grantor) })
    expect(askedOf('recordDelegatedAct')).toEqual([])
    await call(running.url, 'POST', '/v1/orders?x=secret', { token, body: orderBody, headers: as(grantor) })
    expect(askedOf('recordDelegatedAct').map(({ request }) => request)).toEqual([
      {
        grantor_merchant_id: grantor,
        grantee_merchant_id: vault.merchantId,
        epoch: 1,
        actor_type: 'merchant_key',
        actor_id: vault.entry(token).keyId,
        is_test: true,
        operation: 'createOrder',
        path: '/v1/orders',
        ip: expect.any(String),
      },
    ])
  })

  test('has idempotency keys of its own: no reply to the grantor is replayed to its grantee', async () => {
    const grantor = granted()
    const token = vault.key()
    upstream.asked.length = 0
    const headers = { 'idempotency-key': randomUUID() }
    await place(token, grantor, headers)
    await call(running.url, 'POST', '/v1/orders', { token, body: orderBody, headers })
    const hashes = askedOf('createOrder').map(({ request }) => {
      const { request_hash } = request['idempotency'] as { request_hash: Uint8Array }
      return Buffer.from(request_hash).toString('hex')
    })
    expect(new Set(hashes).size).toBe(2)
  })
})

describe('the wall between test and live', () => {
  test('holds: a grant for the sandbox admits no live key, and a log-in acts in the sandbox by it', async () => {
    const grantor = granted({ isTest: true })
    const refused = await list(vault.key({ isTest: false }), grantor)
    expect([refused.status, refused.body.details]).toEqual([403, { reason: 'no_active_grant' }])
    upstream.asked.length = 0
    expect((await place(await vault.login(), grantor)).status).toBe(201)
    expect(askedOf('createOrder')[0]?.caller.isTest).toBe(true)
  })

  test('holds: a live key does not act for a merchant that may not trade live, a test key does', async () => {
    const grantor = granted({ mayTradeLive: false })
    const refused = await list(vault.key({ isTest: false }), grantor)
    expect([refused.status, refused.body.error]).toEqual([403, 'kyb_required'])
    expect((await list(vault.key(), grantor)).status).toBe(200)
  })
})

describe('a delegated token', () => {
  const tokenFor = (grantor: string, claims: object = {}) =>
    vault.login({ grantor_merchant_id: grantor, grant_ep: 1, scopes: ['orders:read', 'orders:write'], ...claims })

  test('acts for its grantor without a header, and for nobody else with one', async () => {
    const grantor = granted()
    const token = await tokenFor(grantor)
    upstream.asked.length = 0
    expect((await call(running.url, 'GET', '/v1/orders', { token })).status).toBe(200)
    expect(askedOf('listOrders')[0]?.caller).toMatchObject({ merchantId: grantor, actingFor: grantor })
    for (const named of [grantor, granted()]) {
      const chained = await list(token, named)
      expect([chained.status, chained.body.details]).toEqual([403, { reason: 'delegated_token' }])
    }
  })

  test('is 401 once its grant was revoked, and stays so when the grant is given again', async () => {
    const grantor = granted()
    const token = await tokenFor(grantor)
    const get = (at: Running) => call(at.url, 'GET', '/v1/orders', { token })
    for (const at of [running, other]) expect((await get(at)).status).toBe(200)
    await revoke(grantor)
    const refused = [401, { reason: 'revoked' }]
    for (const at of [running, other]) {
      const answer = await get(at)
      expect([answer.status, answer.body.details]).toEqual(refused)
    }
    Object.assign(vault.grants.get(grantor) as Granted, { isActive: true, epoch: 3 })
    await redis.set(`${running.redisPrefix}epoch:grant:${grantor}:${vault.merchantId}`, 3)
    const answer = await get(running)
    expect([answer.status, answer.body.details]).toEqual(refused)
  })

  test('changes nothing after the end of its grant, also where Redis was not told', async () => {
    const grantor = granted()
    const token = await tokenFor(grantor)
    expect((await call(running.url, 'GET', '/v1/orders', { token })).status).toBe(200)
    Object.assign(vault.grants.get(grantor) as Granted, { isActive: false, epoch: 2 })
    const answer = await call(running.url, 'POST', '/v1/orders', { token, body: orderBody })
    expect([answer.status, answer.body.details]).toEqual([401, { reason: 'revoked' }])
  })

  test('that names no grantor of a grant, or no epoch of it, is no token', async () => {
    for (const claims of [{ grant_ep: undefined }, { grant_ep: 'x' }, { grantor_merchant_id: '' }]) {
      const token = await tokenFor(granted(), claims)
      const answer = await call(running.url, 'GET', '/v1/orders', { token })
      expect([answer.status, answer.body.details]).toEqual([401, { reason: 'invalid' }])
    }
  })
})
