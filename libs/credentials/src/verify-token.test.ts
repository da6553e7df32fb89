import { beforeAll, describe, expect, test } from '@jest/globals'
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTVerifyGetKey, SignJWT } from 'jose'
import { type SigningKey, signToken } from './sign-token.ts'
import type { AdminClaims, RefreshClaims } from './token-kinds.ts'
import { verifyToken } from './verify-token.ts'

const now = new Date('2026-01-01T00:00:00Z')
const iat = now.getTime() / 1000
const refresh: RefreshClaims = { sub: 'k', jti: 'j', iat, exp: iat + 60, sid: 's', gen: 1, merchant_id: 'm' }

let key: SigningKey
let keys: JWTVerifyGetKey

beforeAll(async () => {
  const pair = await generateKeyPair('EdDSA', { extractable: true })
  key = { kid: 'one', privateKey: pair.privateKey }
  keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one' }] })
})

describe('tokens', () => {
  test('what was signed verifies, and signing again gives the same bytes', async () => {
    const token = await signToken('refresh', refresh, key)
    expect(await signToken('refresh', refresh, key)).toBe(token)
    expect(await verifyToken('refresh', token, keys, { now })).toMatchObject({ ok: true, claims: refresh })
  })

  test('a token of one kind never passes for another', async () => {
    const token = await signToken('refresh', refresh, key)
    for (const kind of ['merchant', 'rider', 'admin'] as const)
      expect(await verifyToken(kind, token, keys, { now })).toEqual({ ok: false, reason: 'invalid' })
  })

  test('an expired token is told from a false one, with at most 30 s of grace', async () => {
    const token = await signToken('refresh', refresh, key)
    const at = (seconds: number) => new Date((refresh.exp + seconds) * 1000)
    expect(await verifyToken('refresh', token, keys, { now: at(29) })).toMatchObject({ ok: true })
    const late = await verifyToken('refresh', token, keys, { now: at(31), skewSeconds: 3600 })
    expect(late).toEqual({ ok: false, reason: 'expired' })
  })

  test('algorithm, key id and key material in the token are not believed', async () => {
    const claims = { ...refresh, iss: 'svc', aud: 'svc:refresh' }
    const secret = new TextEncoder().encode('x'.repeat(32))
    const hmac = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'rt+jwt', kid: 'one' })
      .sign(secret)
    const foreign = await generateKeyPair('EdDSA', { extractable: true })
    const jwk = await exportJWK(foreign.publicKey)
    const embedded = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'rt+jwt', kid: 'one', jwk })
      .sign(foreign.privateKey)
    const unsigned = `${btoa(JSON.stringify({ alg: 'none', typ: 'rt+jwt' }))}.${btoa(JSON.stringify(claims))}.`
    const unknownKey = await signToken('refresh', refresh, { ...key, kid: 'two' })
    for (const token of [hmac, embedded, unsigned, unknownKey, 'abc', ''])
      expect(await verifyToken('refresh', token, keys, { now })).toEqual({ ok: false, reason: 'invalid' })
  })

  test('a token that will only be signed is refused, beyond what clocks differ', async () => {
    const token = await signToken('refresh', refresh, key)
    const before = (seconds: number) => new Date((iat - seconds) * 1000)
    expect(await verifyToken('refresh', token, keys, { now: before(29) })).toMatchObject({ ok: true })
    const early = await verifyToken('refresh', token, keys, { now: before(31), skewSeconds: 3600 })
    expect(early).toEqual({ ok: false, reason: 'invalid' })
  })

  test('a token without expiry or id is refused', async () => {
    const { exp: _exp, ...endless } = refresh as Partial<RefreshClaims>
    const token = await signToken('admin', endless as unknown as AdminClaims, key)
    expect(await verifyToken('admin', token, keys, { now })).toEqual({ ok: false, reason: 'invalid' })
  })
})
