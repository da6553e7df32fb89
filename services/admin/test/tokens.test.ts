import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SCOPES, verifyToken } from '@svc/credentials'
import { systemCaller } from '@svc/grpc'
import { onceAvailable } from '@svc/testing'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JWTVerifyGetKey } from 'jose'
import { loginSubject, marksFirstOfHour } from '../src/db/login-failures.ts'
import { type Admin, gatewayCaller, PASSWORD, publicCaller, refusal, signUp, startAdmin } from './start-admin.ts'

let admin: Admin
let keys: JWTVerifyGetKey
beforeAll(async () => {
  admin = await startAdmin()
  const { jwks_json } = await admin.credentials.as(gatewayCaller()).getJwks({})
  expect(jwks_json).not.toContain('"d"')
  keys = createLocalJWKSet(JSON.parse(jwks_json))
})
afterAll(() => admin.stop())

const refresh = async (token: string) =>
  (await admin.credentials.as(publicCaller()).refreshToken({ refresh_token: token })).tokens!
const verifySession = (credential: string, sessionId: string) =>
  admin.credentials.as(gatewayCaller()).verifySession({ credential, session_id: sessionId })

async function exchanged() {
  const merchant = await signUp(admin)
  const { tokens } = await admin.credentials.as(merchant.caller).exchangeApiKey({})
  return { ...merchant, tokens: tokens! }
}

describe('exchanging a key', () => {
  test('gives a token that verifies with the published keys and says what it stands on', async () => {
    const { tokens, merchantId, caller } = await exchanged()
    expect(tokens).toMatchObject({
      expires_in: 3600,
      refresh_expires_in: 30 * 86_400,
      scopes: SCOPES,
      merchant_id: merchantId,
      is_test: true,
    })
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' })
    const verified = await verifyToken('merchant', tokens.access_token, keys)
    expect(verified).toMatchObject({
      ok: true,
      claims: {
        sub: caller.credential!.slice(4),
        merchant_id: merchantId,
        key_id: caller.credential!.slice(4),
        scopes: SCOPES,
        is_test: true,
        role: 'merchant',
        credential: caller.credential,
        ep: 1,
      },
    })
    const { sid } = decodeJwt(tokens.access_token) as { sid: string }
    expect(await verifySession(caller.credential!, sid)).toMatchObject({
      verdict: 'active',
      epoch: 1,
      session_epoch: 0,
      standing: { merchant_id: merchantId },
    })
    expect(await admin.epochOf(`session:${sid}`)).toBe('0')
  })

  test('takes keys only: a token cannot make tokens', async () => {
    const { caller } = await signUp(admin)
    const withToken = { ...caller, sessionId: randomUUID() }
    await expect(admin.credentials.as(withToken).exchangeApiKey({})).rejects.toEqual(
      refusal('forbidden', { reason: 'api_key_required' }),
    )
    await expect(admin.credentials.as(publicCaller()).exchangeApiKey({})).rejects.toEqual(refusal('forbidden'))
  })

  test('verdicts and the keys that verify are the gateway’s to ask for', async () => {
    const { caller } = await signUp(admin)
    for (const stranger of [caller, publicCaller(), systemCaller('dispatch')]) {
      const asked = admin.credentials.as(stranger)
      const request = { key_id: 'x', secret_sha256: Buffer.alloc(32) }
      await expect(asked.verifyApiKey(request)).rejects.toEqual(refusal('forbidden'))
      await expect(asked.verifyApiKeys({ keys: [request] })).rejects.toEqual(refusal('forbidden'))
      await expect(asked.verifySession({ credential: 'x', session_id: 'x' })).rejects.toEqual(refusal('forbidden'))
      await expect(asked.getJwks({})).rejects.toEqual(refusal('forbidden'))
    }
  })

  test('a refresh token is no access token and the other way round', async () => {
    const { tokens } = await exchanged()
    expect(await verifyToken('merchant', tokens.refresh_token, keys)).toEqual({ ok: false, reason: 'invalid' })
    await expect(refresh(tokens.access_token)).rejects.toEqual(refusal('unauthorized', { reason: 'invalid' }))
  })
})

describe('a key that was judged before its rotation', () => {
  const judged = async () => {
    const { caller, key } = await signUp(admin)
    return { caller: { ...caller, credentialEpoch: 1 }, id: key!.id }
  }
  const revoked = refusal('unauthorized', { reason: 'revoked' })

  test('hands out nothing after it: no tokens, no key, no secret', async () => {
    const { caller, id } = await judged()
    const [credentials, apiKeys] = [admin.credentials.as(caller), admin.apiKeys.as(caller)]
    expect((await credentials.exchangeApiKey({})).tokens).toBeDefined()
    await apiKeys.rotateApiKey({ id })
    await expect(credentials.exchangeApiKey({})).rejects.toEqual(revoked)
    await expect(apiKeys.createApiKey({ scopes: [], is_test: true })).rejects.toEqual(revoked)
    await expect(apiKeys.rotateApiKey({ id })).rejects.toEqual(revoked)
    const anew = { ...caller, credentialEpoch: 2 }
    expect((await admin.credentials.as(anew).exchangeApiKey({})).tokens).toBeDefined()
  })

  test('gets tokens beside a rotation under way, and they end with the old secret', async () => {
    const { caller, id } = await judged()
    const rotation = await admin.worker.connect()
    try {
      await rotation.query('BEGIN')
      await rotation.query('UPDATE api_keys SET epoch = epoch + 1, rotations = rotations + 1 WHERE id = $1', [id])
      const { tokens } = await admin.credentials.as(caller).exchangeApiKey({})
      await rotation.query('COMMIT')
      const { credential, sid, ep } = decodeJwt(tokens!.access_token) as { credential: string; sid: string; ep: number }
      expect(ep).toBe(1)
      expect(await verifySession(credential, sid)).toMatchObject({ verdict: 'revoked', epoch: 2 })
      await expect(refresh(tokens!.refresh_token)).rejects.toEqual(revoked)
    } finally {
      rotation.release(true)
    }
  })
})

describe('refreshing', () => {
  test('rotates the pair and never extends the family', async () => {
    const { tokens } = await exchanged()
    const next = await refresh(tokens.refresh_token)
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect(decodeJwt(next.refresh_token).exp).toBe(decodeJwt(tokens.refresh_token).exp)
    expect((await verifyToken('merchant', next.access_token, keys)).ok).toBe(true)
    expect((await refresh(next.refresh_token)).scopes).toEqual(SCOPES)
  })

  test('a lost reply is repeated byte for byte', async () => {
    const { tokens } = await exchanged()
    const next = await refresh(tokens.refresh_token)
    expect(await refresh(tokens.refresh_token)).toEqual(next)
    expect((await refresh(next.refresh_token)).access_token).not.toBe(next.access_token)
  })

  test('twenty twins get one pair', async () => {
    const { tokens } = await exchanged()
    const pairs = await Promise.all(
      Array.from({ length: 20 }, () => onceAvailable(() => refresh(tokens.refresh_token))),
    )
    expect(new Set(pairs.map(({ refresh_token }) => refresh_token)).size).toBe(1)
    expect(new Set(pairs.map(({ access_token }) => access_token)).size).toBe(1)
  })

  test('a second use after the successor was used ends the family, for the thief and for the robbed', async () => {
    const { tokens, caller, merchantId } = await exchanged()
    const second = await refresh(tokens.refresh_token)
    const third = await refresh(second.refresh_token)
    await expect(refresh(tokens.refresh_token)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
    await expect(refresh(third.refresh_token)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))

    const { sid } = decodeJwt(third.access_token) as { sid: string }
    expect(await admin.epochOf(`session:${sid}`)).toBe('1')
    expect(await verifySession(caller.credential!, sid)).toMatchObject({ verdict: 'revoked', session_epoch: 1 })
    const audit = await admin.worker.query(
      "SELECT encode(payload, 'escape') AS payload FROM outbox WHERE merchant_id = $1 AND type = 'audit.recorded' ORDER BY seq DESC LIMIT 1",
      [merchantId],
    )
    expect(audit.rows[0].payload).toContain('session.revoke')
    expect(audit.rows[0].payload).toContain('refresh_reuse')
    // The key itself lives on.
    expect((await admin.credentials.as(caller).exchangeApiKey({})).tokens).toBeDefined()
  })

  test('revoking the key ends its tokens', async () => {
    const { tokens, caller, key } = await exchanged()
    await admin.apiKeys.as(caller).revokeApiKey({ id: key!.id })
    await expect(refresh(tokens.refresh_token)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
    await expect(admin.credentials.as(caller).exchangeApiKey({})).rejects.toEqual(
      refusal('unauthorized', { reason: 'revoked' }),
    )
    const { sid } = decodeJwt(tokens.access_token) as { sid: string }
    expect(await verifySession(caller.credential!, sid)).toMatchObject({ verdict: 'revoked', epoch: 2 })
  })

  test.each(['', 'abc', 'a.b.c'])('%j is no refresh token', async (token) => {
    await expect(refresh(token)).rejects.toEqual(refusal('unauthorized', { reason: 'invalid' }))
  })

  test('a session of one credential is not one of another', async () => {
    const [one, other] = [await exchanged(), await exchanged()]
    const { sid } = decodeJwt(one.tokens.access_token) as { sid: string }
    expect(await verifySession(other.caller.credential!, sid)).toMatchObject({ verdict: 'revoked' })
    expect(await verifySession(one.caller.credential!, randomUUID())).toMatchObject({ verdict: 'revoked' })
    expect(await verifySession('key:nonsense', 'nonsense')).toMatchObject({ verdict: 'revoked' })
  })
})

describe('ten seconds', () => {
  test('are all that a lost reply gets', async () => {
    const { tokens } = await exchanged()
    const next = await refresh(tokens.refresh_token)
    try {
      await admin.database.shiftClock(8_000)
      expect(await refresh(tokens.refresh_token)).toEqual(next)
      await admin.database.shiftClock(11_000)
      await expect(refresh(tokens.refresh_token)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
      await expect(refresh(next.refresh_token)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
    } finally {
      await admin.database.shiftClock(0)
    }
  })
})

describe('logging in', () => {
  const logIn = (email: string, password: string) => admin.credentials.as(publicCaller()).logIn({ email, password })

  test('gives a token with every scope and both environments, whatever the case of the address', async () => {
    const { email, merchantId } = await signUp(admin)
    const { tokens } = await logIn(` ${email.toUpperCase()}`, PASSWORD)
    expect(tokens).toMatchObject({ scopes: SCOPES, merchant_id: merchantId, is_test: undefined })
    const { credential, sid } = decodeJwt(tokens!.access_token) as { credential: string; sid: string }
    expect(decodeJwt(tokens!.access_token)).toMatchObject({ is_test: null, role: 'merchant', merchant_id: merchantId })
    expect(credential).toMatch(/^user:/)
    expect((await verifySession(credential, sid)).verdict).toBe('active')
    expect((await refresh(tokens!.refresh_token)).is_test).toBeUndefined()
  })

  test('a wrong password and an unknown address are one answer, counted alike', async () => {
    const { email } = await signUp(admin)
    for (const address of [email, 'nobody@example.com']) {
      for (let failure = 1; failure <= 10; failure++)
        await expect(logIn(address, 'not the password')).rejects.toEqual(refusal('unauthorized', { reason: 'invalid' }))
      const refused = await logIn(address.toUpperCase(), PASSWORD).catch((error: unknown) => error)
      expect(refused).toMatchObject({ code: 'rate_limited' })
      expect((refused as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(3500)
      expect((refused as { retryAfterSeconds: number }).retryAfterSeconds).toBeLessThanOrEqual(3600)
    }
    try {
      await admin.database.shiftClock(3_601_000)
      expect((await logIn(email, PASSWORD)).tokens).toBeDefined()
    } finally {
      await admin.database.shiftClock(0)
    }
  })

  test('nobody locks an account out where it has logged in of late, and guesses there are counted too', async () => {
    const { email } = await signUp(admin)
    const from = (ip: string, password: string) =>
      admin.credentials.as({ ...publicCaller(), ip }).logIn({ email, password })
    const code = (attempt: Promise<unknown>) =>
      attempt.then(
        () => 'in',
        (error: { code: string }) => error.code,
      )
    await from('203.0.113.7', PASSWORD)
    await from('2001:db8:1:2::1', PASSWORD)
    const strangers = Array.from({ length: 10 }, (_, n) => from(`198.51.${n}.1`, 'not the password'))
    expect(await Promise.all(strangers.map(code))).toEqual(Array(10).fill('unauthorized'))
    expect(await code(from('198.51.100.99', PASSWORD))).toBe('rate_limited')
    expect(await code(logIn(email, PASSWORD))).toBe('rate_limited')
    // The networks that the account knows, whichever of their addresses.
    expect(await code(from('203.0.113.200', PASSWORD))).toBe('in')
    expect(await code(from('2001:db8:1:2:ffff::9', PASSWORD))).toBe('in')
    expect(await code(from('2001:db8:1:3::1', PASSWORD))).toBe('rate_limited')
    // What is counted there forgets nothing of the strangers, and is counted in full.
    expect(await code(from('198.51.100.99', PASSWORD))).toBe('rate_limited')
    for (let failure = 1; failure <= 10; failure++)
      expect(await code(from('203.0.113.7', 'not the password'))).toBe('unauthorized')
    expect(await code(from('203.0.113.7', PASSWORD))).toBe('rate_limited')
    expect(await code(from('2001:db8:1:2::1', PASSWORD))).toBe('in')
  })

  test('the networks of an account are digests, twenty at most, and forgotten after thirty days', async () => {
    const { email } = await signUp(admin)
    const from = (ip: string, password: string) =>
      admin.credentials.as({ ...publicCaller(), ip }).logIn({ email, password })
    for (let n = 0; n < 22; n++) await from(`192.0.${n}.1`, PASSWORD)
    const { rows } = await admin.worker.query<{ networks: number; digests: boolean }>(
      `SELECT max(networks)::int AS networks, bool_and(digests) AS digests FROM
         (SELECT count(*) AS networks, bool_and(octet_length(network) = 32) AS digests FROM login_networks GROUP BY subject) AS each`,
    )
    expect(rows).toEqual([{ networks: 20, digests: true }])
    try {
      await admin.database.shiftClock(31 * 86_400_000)
      for (let n = 0; n < 10; n++) await from(`198.51.${n}.1`, 'not the password').catch(() => undefined)
      await expect(from('192.0.21.1', PASSWORD)).rejects.toEqual(refusal('rate_limited'))
    } finally {
      await admin.database.shiftClock(0)
    }
  })

  test('no failed log-in waits for a replica that froze while it put another on record', async () => {
    const { email } = await signUp(admin)
    const { email: other } = await signUp(admin)
    let thaw = () => {}
    const frozen = new Promise<void>((resolve) => {
      thaw = resolve
    })
    let holds = () => {}
    const held = new Promise<void>((resolve) => {
      holds = resolve
    })
    const subject = loginSubject('merchant', email)
    const replica = admin.service.context.transact('every tenant', async (tx) => {
      for (const mark of ['login.fail', 'login.lock']) expect(await marksFirstOfHour(tx, subject, mark)).toBe(true)
      holds()
      await frozen
    })
    await held
    try {
      for (let failure = 1; failure <= 10; failure++)
        await expect(logIn(email, 'not the password')).rejects.toEqual(refusal('unauthorized', { reason: 'invalid' }))
      await expect(logIn(email, PASSWORD)).rejects.toEqual(refusal('rate_limited'))
      expect((await logIn(other, PASSWORD)).tokens).toBeDefined()
    } finally {
      thaw()
      await replica
    }
  })

  test('success forgets the failures before it and is never counted', async () => {
    const { email } = await signUp(admin)
    for (let round = 1; round <= 2; round++) {
      for (let failure = 1; failure <= 9; failure++)
        await expect(logIn(email, 'not the password')).rejects.toEqual(refusal('unauthorized'))
      expect((await logIn(email, PASSWORD)).tokens).toBeDefined()
    }
    const often = await Promise.all(Array.from({ length: 15 }, () => logIn(email, PASSWORD)))
    expect(often).toHaveLength(15)
  })

  test('a burst of guesses gets no more tries than the limit and the slots allow', async () => {
    const { email } = await signUp(admin)
    const most = 10 + 2 * availableParallelism()
    const guesses = await Promise.allSettled(
      Array.from({ length: most + 20 }, (_, n) => logIn(email, `guess number ${n}`)),
    )
    const codes = guesses.map((guess) => (guess.status === 'rejected' ? (guess.reason as { code: string }).code : 'in'))
    expect(codes.filter((code) => code === 'unauthorized').length).toBeLessThan(most)
    expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThan(0)
    expect(codes).not.toContain('in')
  })
})

test('an unconfirmed address cannot log in where the operator asks for confirmation', async () => {
  const strict = await startAdmin({
    EMAIL_VERIFICATION_REQUIRED: 'true',
    MAIL_API_URL: 'http://127.0.0.1:1',
    ACCOUNT_PAGES_URL: 'https://pages.example',
  })
  try {
    const { email, email_verification_required } = await signUp(strict)
    expect(email_verification_required).toBe(true)
    await expect(strict.credentials.as(publicCaller()).logIn({ email, password: PASSWORD })).rejects.toEqual(
      refusal('email_not_verified'),
    )
  } finally {
    await strict.stop()
  }
})
