import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import { Redis } from 'ioredis'
import { call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault, type Vault } from './vault.ts'

let vault: Vault
let upstream: Upstream
let running: Running
let redis: Redis

beforeAll(async () => {
  vault = await createVault()
  upstream = await startUpstream(vault)
  running = await startGateway(upstream)
  redis = new Redis(running.redisUrl)
})

afterAll(async () => {
  redis?.disconnect()
  await running?.gateway.stop()
  await upstream?.stop()
})

const mine = (token: string, at = running) => call(at.url, 'GET', '/v1/riders/me/dispatch-offers', { token })
const post = (path: string, body: object, headers: Record<string, string> = {}, token?: string) =>
  call(running.url, 'POST', path, { body, headers, token })
const lastAsked = (rpc: string) => upstream.asked.findLast((asked) => asked.rpc === rpc)
const sandbox = { 'x-service-environment': 'test' }

describe("a rider's token", () => {
  test('reaches services as that rider: live and of no merchant, or bound to the one it names', async () => {
    await mine(await vault.rider())
    expect(lastAsked('listDispatchOffers')?.caller).toEqual(
      expect.objectContaining({
        kind: 'rider',
        isTest: false,
        merchantId: undefined,
        scopes: ['riders:location'],
        actor: { type: 'rider', id: vault.riderId },
        credential: `rider:${vault.riderId}`,
        standing: undefined,
      }),
    )
    await mine(await vault.rider({ merchant_id: vault.merchantId, is_test: true }))
    expect(lastAsked('listDispatchOffers')?.caller).toEqual(
      expect.objectContaining({
        isTest: true,
        merchantId: vault.merchantId,
        standing: { billingStatus: 'active', kybStatus: 'verified', businessApprovalStatus: 'approved' },
      }),
    )
  })

  test('with claims that do not belong together is 401 invalid', async () => {
    const forged = [
      { credential: `rider:${randomUUID()}` },
      { credential: `user:${vault.riderId}` },
      { role: 'merchant' },
      { is_test: null },
      { sid: undefined },
      { ep: '1' },
      { merchant_id: '' },
      { merchant_id: randomUUID() },
      { aud: 'svc:merchant' },
    ]
    for (const claims of forged) {
      const answer = await mine(await vault.rider(claims))
      expect([claims, answer.status, answer.body.details?.reason]).toEqual([claims, 401, 'invalid'])
    }
    const past = Math.floor(Date.now() / 1000) - 60
    expect((await mine(await vault.rider({ exp: past }))).body.details.reason).toBe('expired')
  })

  test('dies on the next request once the rider is revoked, also where it had just been judged', async () => {
    const id = randomUUID()
    const token = await vault.rider({ sub: id, credential: `rider:${id}` })
    expect((await mine(token)).status).toBe(200)
    vault.epochs.set(`rider:${id}`, 2)
    await redis.set(`${running.redisPrefix}epoch:rider:${id}`, 2)
    const answer = await mine(token)
    expect([answer.status, answer.body.details.reason]).toEqual([401, 'revoked'])
  })

  test('acts where merchants with a scope do, and there needs no scope of theirs', async () => {
    const path = `/v1/riders/${vault.riderId}/online`
    const online = (token: string) => call(running.url, 'PATCH', path, { token, body: { is_online: true } })
    expect((await online(await vault.rider({ scopes: [] }))).status).toBe(200)
    expect(lastAsked('setRiderOnline')?.caller.kind).toBe('rider')
    expect((await online(vault.key({ scopes: ['riders:location'] }))).status).toBe(200)
    expect(lastAsked('setRiderOnline')?.caller.kind).toBe('merchant')
    const lacking = await online(vault.key({ scopes: ['orders:read'] }))
    expect([lacking.status, lacking.body.details]).toEqual([403, { required: ['riders:location', 'orders:write'] }])
  })

  test('is no match for the switch that demands keys:manage of merchants', async () => {
    const strict = await startGateway(upstream, { keysManageForRiders: true })
    try {
      const path = `/v1/riders/${vault.riderId}/online`
      const online = (token: string) => call(strict.url, 'PATCH', path, { token, body: { is_online: true } })
      expect((await online(vault.key({ scopes: ['orders:write'] }))).body.details).toEqual({
        required: ['keys:manage'],
      })
      expect((await online(vault.key({ scopes: ['orders:write', 'keys:manage'] }))).status).toBe(200)
      expect((await online(await vault.rider())).status).toBe(200)
    } finally {
      await strict.gateway.stop()
    }
  })

  test('has a budget of its own, and the sandbox rider, whom everybody shares, has none', async () => {
    const tight = await startGateway(upstream, { rateRiderPerMinute: 2 })
    try {
      const statuses = async (token: string) => {
        const answers = [await mine(token, tight), await mine(token, tight), await mine(token, tight)]
        return answers.map(({ status }) => status)
      }
      expect(await statuses(await vault.rider())).toEqual([200, 200, 429])
      const shared = { sub: SANDBOX_RIDER.id, credential: `rider:${SANDBOX_RIDER.id}`, is_test: true }
      expect(await statuses(await vault.rider(shared))).toEqual([200, 200, 200])
    } finally {
      await tight.gateway.stop()
    }
  })
})

describe("a rider's token that a key has minted", () => {
  const minted = async (scopes: readonly string[], claims: object = {}) => {
    const text = vault.key({ isTest: false, scopes })
    const { keyId } = vault.entry(text)
    const sid = randomUUID()
    vault.minters.set(sid, vault.keys.get(keyId)!)
    const token = await vault.rider({
      sid,
      merchant_id: vault.merchantId,
      minted_by: `key:${keyId}`,
      mint_ep: 1,
      ...claims,
    })
    return { token, text, keyId }
  }

  test('reaches services with its key and what that holds, and a log-in by a code with its time', async () => {
    const { token, keyId } = await minted(['riders:location'])
    expect((await mine(token)).status).toBe(200)
    expect(lastAsked('listDispatchOffers')?.caller).toMatchObject({
      codeLoginAt: undefined,
      mintedBy: { credential: `key:${keyId}`, scopes: ['riders:location'], riderLogsIn: false },
    })
    await mine(await vault.rider({ auth_time: 1_700_000_000 }))
    expect(lastAsked('listDispatchOffers')?.caller).toMatchObject({ codeLoginAt: 1_700_000_000, mintedBy: undefined })
  })

  test('ends on the next request after its key, also where it had just been judged', async () => {
    const { token, text, keyId } = await minted(['riders:location'])
    expect((await mine(token)).status).toBe(200)
    vault.entry(text).epoch = 2
    vault.keys.get(keyId)!.epoch = 2
    await redis.set(`${running.redisPrefix}epoch:key:${keyId}`, 2)
    const answer = await mine(token)
    expect([answer.status, answer.body.details.reason]).toEqual([401, 'revoked'])
  })

  test('is none where its claims do not belong together, or where admin knows of no key', async () => {
    for (const claims of [
      { mint_ep: undefined },
      { mint_ep: '1' },
      { minted_by: 'user:1' },
      { minted_by: undefined },
      { auth_time: 1 },
    ])
      expect([claims, (await mine((await minted([], claims)).token)).body.details?.reason]).toEqual([claims, 'invalid'])
    const unknown = await vault.rider({ minted_by: 'key:k', mint_ep: 1 })
    expect((await mine(unknown)).body.details.reason).toBe('revoked')
  })
})

describe('the log-in of riders', () => {
  const verify = (headers: Record<string, string>, token?: string) =>
    post('/v1/auth/rider/phone-otp/verify', { phone: SANDBOX_RIDER.phone, code: '000000' }, headers, token)

  test('is the sandbox with that one header alone', async () => {
    const request = { phone: '+2348012345678' }
    for (const [headers, isTest] of [
      [sandbox, true],
      [{}, false],
      [{ 'x-service-environment': 'TEST' }, false],
    ] as const) {
      await post('/v1/auth/rider/phone-otp/request', request, headers)
      expect(lastAsked('requestRiderLogin')?.request).toEqual({ ...request, is_test: isTest })
    }
  })

  test("binds a sandbox token to the merchant of a good test key, and to nobody's by anything else", async () => {
    const bound = async (headers: Record<string, string>, token?: string) => {
      const answer = await verify(headers, token)
      return [answer.status, lastAsked('verifyRiderLogin')?.request['sandbox_merchant_id']]
    }
    const key = vault.key()
    expect(await bound({ ...sandbox, 'x-api-key': key })).toEqual([200, vault.merchantId])
    expect(await bound({ 'x-api-key': key })).toEqual([200, undefined])
    expect(await bound({ ...sandbox, 'x-api-key': vault.key({ isTest: false }) })).toEqual([200, undefined])
    expect(await bound({ ...sandbox, 'x-api-key': 'svc_test_bad' })).toEqual([200, undefined])
    expect(await bound(sandbox, key)).toEqual([200, undefined])
    vault.entry(key).verdict = 'revoked'
    vault.entry(key).epoch = 2
    await redis.set(`${running.redisPrefix}epoch:key:${vault.entry(key).keyId}`, 2)
    expect(await bound({ ...sandbox, 'x-api-key': key })).toEqual([200, undefined])
  })

  test('sends so many codes per address, without end to the sandbox; it tells dispatch from where', async () => {
    const tight = await startGateway(upstream, { rateRiderOtpPerHour: 3 })
    try {
      const ask = async (phone: string, path = '/v1/auth/rider/phone-otp/request') =>
        (await call(tight.url, 'POST', path, { body: { phone } })).status
      for (let i = 0; i < 7; i++) expect(await ask(i % 2 ? '08000000000' : SANDBOX_RIDER.phone)).toBe(200)
      expect(await ask('+2348012345678')).toBe(200)
      expect(lastAsked('requestRiderLogin')?.caller.ip).toBe('127.0.0.1')
      expect(await ask('+2348012345679', '/v1/public/riders/phone-otp/request')).toBe(200)
      expect(await ask('+2348012345680')).toBe(200)
      expect(await ask('+2348012345681')).toBe(429)
      expect(await ask('+2348012345682', '/v1/public/riders/phone-otp/request')).toBe(429)
    } finally {
      await tight.gateway.stop()
    }
  })
})

describe('logging out', () => {
  const logOut = (token: string | undefined, body: object = {}) => post('/v1/auth/logout', body, {}, token)
  const session = () => {
    const asked = lastAsked('logOut')
    return [asked?.caller.kind, asked?.caller.sessionId, asked?.request['refresh_token']]
  }

  test('ends the session of the token, of whichever class, or of the refresh token in the body', async () => {
    expect((await logOut(await vault.rider({ sid: 'r-1' }))).body).toEqual({ ok: true })
    expect(session()).toEqual(['rider', 'r-1', undefined])
    expect((await logOut(await vault.login({ sid: 'm-1' }))).status).toBe(200)
    expect(session()).toEqual(['merchant', 'm-1', undefined])
    expect((await logOut(undefined, { refresh_token: 'rt' })).status).toBe(200)
    expect(session()).toEqual(['public', undefined, 'rt'])
    const past = Math.floor(Date.now() / 1000) - 60
    expect((await logOut(await vault.rider({ exp: past }), { refresh_token: 'rt' })).status).toBe(200)
  })

  test('again, with a token whose session has ended, is no error', async () => {
    const id = randomUUID()
    vault.epochs.set(`rider:${id}`, 9)
    expect((await logOut(await vault.rider({ sub: id, credential: `rider:${id}` }))).status).toBe(200)
  })

  test('without a token that is one is 401', async () => {
    expect((await logOut(undefined)).body.details).toEqual({ reason: 'missing' })
    for (const token of ['not-a-token', vault.key(), `${await vault.rider()}x`]) {
      expect((await logOut(token)).body.details).toEqual({ reason: 'invalid' })
    }
  })
})

test("a rider's refresh token is answered with a rider's pair", async () => {
  const tokens = { access_token: 'a', refresh_token: 'r', expires_in: 3600, refresh_expires_in: 9, scopes: [] }
  upstream.answers.set('refreshToken', { tokens: { ...tokens, merchant_id: '', rider_id: vault.riderId } })
  try {
    const answer = await post('/v1/auth/refresh', { refresh_token: 'r' })
    const { merchant_id, rider_id, is_sandbox, scope } = answer.body
    expect([answer.status, merchant_id, rider_id, is_sandbox, scope]).toEqual([
      200,
      null,
      vault.riderId,
      false,
      'riders:location',
    ])
  } finally {
    upstream.answers.delete('refreshToken')
  }
})
