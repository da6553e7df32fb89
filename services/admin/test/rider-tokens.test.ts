import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER, verifyToken } from '@svc/credentials'
import { systemCaller } from '@svc/grpc'
import { adminCaller, eventually, riderCaller, waitingFor } from '@svc/testing'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JWTVerifyGetKey } from 'jose'
import { type Admin, gatewayCaller, keyCaller, publicCaller, refusal, signUp, startAdmin } from './start-admin.ts'

let admin: Admin
let keys: JWTVerifyGetKey
beforeAll(async () => {
  admin = await startAdmin()
  keys = createLocalJWKSet(JSON.parse((await admin.credentials.as(gatewayCaller()).getJwks({})).jwks_json))
})
afterAll(() => admin.stop())

const dispatch = () => admin.credentials.as(systemCaller('dispatch'))
const anyone = () => admin.credentials.as(publicCaller())
const verify = (token: string) => {
  const { credential, sid } = decodeJwt(token) as { credential: string; sid: string }
  return admin.credentials.as(gatewayCaller()).verifySession({ credential, session_id: sid })
}

const refresh = async (token: string) => (await anyone().refreshToken({ refresh_token: token })).tokens!

async function issued(
  overrides: {
    rider_id?: string
    merchant_id?: string
    is_test?: boolean
    minted_by?: string
    minter_epoch?: number
  } = {},
) {
  const riderId = overrides.rider_id ?? randomUUID()
  const request = { rider_id: riderId, is_test: false, access_ttl_seconds: 3600, with_refresh_token: true }
  const tokens = await dispatch().issueRiderTokens({ ...request, ...overrides })
  return { riderId, access: tokens.access_token, refresh: tokens.refresh_token!, tokens }
}

describe('tokens of a rider', () => {
  test('verify as a rider, of no merchant, and say what they stand on', async () => {
    const { riderId, access, refresh: refreshing, tokens } = await issued()
    expect(tokens).toMatchObject({ expires_in: 3600, refresh_expires_in: 30 * 86_400 })
    expect(decodeProtectedHeader(access)).toMatchObject({ alg: 'EdDSA', typ: 'rider-at+jwt' })
    const verified = await verifyToken('rider', access, keys)
    const credential = `rider:${riderId}`
    expect(verified).toMatchObject({
      ok: true,
      claims: { sub: riderId, role: 'rider', scopes: ['riders:location'], is_test: false, credential, ep: 1 },
    })
    expect(decodeJwt(access)).not.toHaveProperty('merchant_id')
    expect(await verifyToken('merchant', access, keys)).toEqual({ ok: false, reason: 'invalid' })
    expect(decodeJwt(refreshing)).not.toHaveProperty('merchant_id')
    expect(await verify(access)).toMatchObject({ verdict: 'active', epoch: 1, session_epoch: 0, standing: undefined })
    expect(await admin.epochOf(`rider:${riderId}`)).toBe('1')
  })

  test('name the merchant to which they are bound, and its standing is the one judged by', async () => {
    const { merchantId } = await signUp(admin)
    const { access, refresh: refreshing, riderId } = await issued({ merchant_id: merchantId, is_test: true })
    expect(decodeJwt(access)).toMatchObject({ merchant_id: merchantId, is_test: true })
    expect(await verify(access)).toMatchObject({ verdict: 'active', standing: { merchant_id: merchantId } })
    const next = await refresh(refreshing)
    expect(next).toMatchObject({ merchant_id: merchantId, is_test: true, rider_id: riderId })
    expect(decodeJwt(next.access_token)).toMatchObject({ merchant_id: merchantId, is_test: true })
  })

  test('without a refresh token live exactly as long as asked', async () => {
    const request = { rider_id: randomUUID(), is_test: false, access_ttl_seconds: 43_200, with_refresh_token: false }
    const tokens = await dispatch().issueRiderTokens(request)
    expect(tokens).toMatchObject({ expires_in: 43_200, refresh_token: undefined, refresh_expires_in: undefined })
    const { iat, exp } = decodeJwt(tokens.access_token)
    expect(exp! - iat!).toBe(43_200)
  })

  test.each([publicCaller(), systemCaller('gateway'), systemCaller('wallet'), riderCaller(randomUUID())])(
    'are issued and ended by dispatch alone: $kind $actor.id is refused',
    async (caller) => {
      const request = { rider_id: randomUUID(), is_test: false, access_ttl_seconds: 60, with_refresh_token: true }
      const as = admin.credentials.as(caller)
      await expect(as.issueRiderTokens(request)).rejects.toEqual(refusal('forbidden'))
      await expect(as.revokeRiderTokens({ rider_id: request.rider_id })).rejects.toEqual(refusal('forbidden'))
    },
  )
})

describe('where tokens of a rider come from', () => {
  test('shows in those of a log-in by a code, also after a refresh, and in those that a key has minted', async () => {
    const before = Math.floor(Date.now() / 1000) - 1
    const { access, refresh: refreshing } = await issued()
    const { auth_time } = decodeJwt(access) as { auth_time: number }
    expect(auth_time).toBeGreaterThanOrEqual(before)
    expect(decodeJwt((await refresh(refreshing)).access_token)).toMatchObject({ auth_time })

    const { merchantId, caller } = await signUp(admin)
    const minted = await issued({ merchant_id: merchantId, minted_by: caller.credential })
    expect(decodeJwt(minted.access)).toMatchObject({ minted_by: caller.credential, mint_ep: 1 })
    expect(decodeJwt(minted.access)).not.toHaveProperty('auth_time')
  })

  test('ends what a key has minted with the key: at its revocation and at its rotation', async () => {
    for (const end of ['revoke', 'rotate'] as const) {
      const { merchantId, caller } = await signUp(admin)
      const keys = admin.apiKeys.as(caller)
      const { items } = await keys.listApiKeys({ limit: 1, offset: 0 })
      const minted = await issued({ merchant_id: merchantId, minted_by: caller.credential })
      expect(await verify(minted.access)).toMatchObject({
        verdict: 'active',
        minter_epoch: 1,
        minter_scopes: expect.arrayContaining(['orders:write']),
        rider_logs_in: false,
      })
      const bystander = await issued()
      if (end === 'revoke') await keys.revokeApiKey({ id: items[0]!.id })
      else await keys.rotateApiKey({ id: items[0]!.id })
      const after = await verify(minted.access)
      expect(after.verdict === 'revoked' || after.minter_epoch === 2).toBe(true)
      expect(await admin.epochOf(caller.credential as `key:${string}`)).toBe('2')
      expect((await verify(bystander.access)).verdict).toBe('active')
    }
  })

  test('outlives a change of the tier of its key, and tells of a key that an operator has seen', async () => {
    const { merchantId, caller, key } = await signUp(admin)
    const minted = await issued({ merchant_id: merchantId, minted_by: caller.credential })
    await admin.apiKeys.as(adminCaller()).updateApiKey({ id: key!.id, enterprise_tier: true })
    expect(await verify(minted.access)).toMatchObject({ verdict: 'active', minter_epoch: 1, made_by_operator: false })
    const asked = { merchant_id: merchantId, scopes: [], is_test: true }
    const { api_key } = await admin.apiKeys.as(adminCaller()).createApiKey(asked)
    const seen = await issued({ merchant_id: merchantId, minted_by: keyCaller(merchantId, api_key).credential })
    expect(await verify(seen.access)).toMatchObject({ verdict: 'active', made_by_operator: true })
  })

  test('tells of a rider that has logged in by a code, whoever minted the token', async () => {
    const { merchantId, caller } = await signUp(admin)
    const minted = await issued({ merchant_id: merchantId, minted_by: caller.credential })
    expect(await verify(minted.access)).toMatchObject({ rider_logs_in: false })
    await issued({ rider_id: minted.riderId })
    expect(await verify(minted.access)).toMatchObject({ rider_logs_in: true })
  })

  test('tells of no log-in of the sandbox rider, whose code is everybody’s: it would shut out other merchants', async () => {
    const [one, other] = [await signUp(admin), await signUp(admin)]
    const sandbox = { rider_id: SANDBOX_RIDER.id, is_test: true }
    const minted = await issued({ ...sandbox, merchant_id: one.merchantId, minted_by: one.caller.credential })
    await issued({ ...sandbox, merchant_id: other.merchantId })
    expect(await verify(minted.access)).toMatchObject({ verdict: 'active', rider_logs_in: false })
  })

  test('is the key as it was judged: a rotation under way is waited for, and its former secret mints nothing', async () => {
    const { merchantId, caller, key } = await signUp(admin)
    const mint = (minter_epoch: number) =>
      issued({ merchant_id: merchantId, minted_by: caller.credential!, minter_epoch })
    await mint(1)
    const rotation = await admin.worker.connect()
    try {
      await rotation.query('BEGIN')
      await rotation.query('UPDATE api_keys SET epoch = epoch + 1, rotations = rotations + 1 WHERE id = $1', [key!.id])
      const late = mint(1).catch((error: unknown) => error)
      await eventually(async () => (await waitingFor(rotation)) > 0)
      await rotation.query('COMMIT')
      expect(await late).toEqual(refusal('unauthorized', { reason: 'revoked' }))
    } finally {
      rotation.release(true)
    }
    expect(decodeJwt((await mint(2)).access)).toMatchObject({ mint_ep: 2 })
  })

  test("is a key that lives, and one of the merchant's own", async () => {
    const [one, other] = [await signUp(admin), await signUp(admin)]
    for (const minted_by of [other.caller.credential, 'key:unknown', `user:${randomUUID()}`])
      await expect(issued({ merchant_id: one.merchantId, minted_by })).rejects.toEqual(refusal('unauthorized'))
  })
})

describe('a rider for whom very many tokens were asked', () => {
  /** Families of the rider, as many mints or log-ins have left them. */
  const multiply = (riderId: string, count: number, merchantId: string | null = null, mintedBy: string | null = null) =>
    admin.worker.query(
      `INSERT INTO sessions (id, merchant_id, credential, is_test, minted_by, access_ttl_seconds, generation, rotated_at,
                             issued_at, expires_at, epoch, created_at)
       SELECT gen_random_uuid(), $1, $2, false, $3, 43200, 1, app_now(), app_now(), app_now() + interval '12 hours', 0,
              app_now() - make_interval(secs => n) FROM generate_series(1, $4::int) AS n`,
      [merchantId, `rider:${riderId}`, mintedBy, count],
    )
  const alive = async (riderId: string) =>
    (
      await admin.worker.query<{ count: number }>(
        'SELECT count(*)::int FROM sessions WHERE credential = $1 AND revoked_at IS NULL',
        [`rider:${riderId}`],
      )
    ).rows[0]!.count

  test('has so many alive per key that mints and per merchant, and no more: the oldest of that origin end at once, with their rows', async () => {
    const capped = await startAdmin({ FAMILIES_PER_CREDENTIAL: '2' })
    try {
      const [one, other] = [await signUp(capped), await signUp(capped)]
      const rider_id = randomUUID()
      const ask = async (origin: { merchant_id?: string; minted_by?: string }) => {
        const asked = { rider_id, is_test: true, access_ttl_seconds: 3600, with_refresh_token: true, ...origin }
        const tokens = await capped.credentials.as(systemCaller('dispatch')).issueRiderTokens(asked)
        return decodeJwt(tokens.access_token).sid as string
      }
      const origins = [
        { merchant_id: one.merchantId, minted_by: one.caller.credential! },
        { merchant_id: one.merchantId },
        { merchant_id: other.merchantId },
        {},
      ]
      for (const origin of origins) {
        const sids = [await ask(origin), await ask(origin), await ask(origin)]
        expect(await capped.epochOf(`session:${sids[0]!}`)).toBe('1')
        const { rows } = await capped.worker.query<{ id: string }>('SELECT id FROM sessions WHERE id = ANY($1)', [sids])
        expect(rows.map(({ id }) => id).toSorted()).toEqual(sids.slice(1).toSorted())
      }
      const { rows } = await capped.worker.query('SELECT FROM sessions WHERE credential = $1', [`rider:${rider_id}`])
      expect(rows).toHaveLength(2 * origins.length)
    } finally {
      await capped.stop()
    }
  })

  test.each(['every token', 'all but one family'])('loses %s, in transactions of a thousand families', async (what) => {
    const kept = await issued()
    await multiply(kept.riderId, 2_500)
    const except = what === 'every token' ? {} : { except_session_id: decodeJwt(kept.access).sid as string }
    await dispatch().revokeRiderTokens({ rider_id: kept.riderId, ...except })
    expect(await alive(kept.riderId)).toBe(what === 'every token' ? 0 : 1)
    const { rows } = await admin.worker.query<{ families: number }>(
      'SELECT count(*)::int AS families FROM sessions WHERE credential = $1 AND epoch = 1 GROUP BY xmin::text',
      [`rider:${kept.riderId}`],
    )
    expect(Math.max(...rows.map(({ families }) => families))).toBe(1_000)
  })

  test.each(['every token', 'all but one family'])(
    'loses %s, but not the log-in that comes between the transactions',
    async (what) => {
      const kept = await issued()
      const { riderId } = kept
      await multiply(riderId, 2_500)
      const except = what === 'every token' ? {} : { except_session_id: decodeJwt(kept.access).sid as string }
      const before = await admin.worker.connect()
      const queued = async () =>
        (
          await admin.worker.query(
            "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%rider_credentials%' AND datname = current_database()",
          )
        ).rowCount
      try {
        await before.query('BEGIN')
        await before.query('SELECT FROM rider_credentials WHERE rider_id = $1 FOR UPDATE', [riderId])
        const revoked = dispatch().revokeRiderTokens({ rider_id: riderId, ...except })
        await eventually(async () => (await queued()) === 1)
        const loggedIn = issued({ rider_id: riderId })
        await eventually(async () => (await queued()) === 2)
        await before.query('COMMIT')
        const [, since] = await Promise.all([revoked, loggedIn])
        expect((await verify(since.access)).verdict).toBe('active')
        expect(await refresh(since.refresh)).toMatchObject({ rider_id: riderId })
        expect(await alive(riderId)).toBe(what === 'every token' ? 1 : 2)
      } finally {
        before.release(true)
      }
    },
  )

  test('loses all that a key has minted by the row of that key alone', async () => {
    const { merchantId, caller, key } = await signUp(admin)
    const minted = await issued({ merchant_id: merchantId, minted_by: caller.credential })
    await multiply(minted.riderId, 5_000, merchantId, caller.credential)
    await admin.apiKeys.as(caller).revokeApiKey({ id: key!.id })
    expect((await verify(minted.access)).verdict).toBe('revoked')
    expect(await alive(minted.riderId)).toBe(5_001)
  })
})

describe('refreshing a rider', () => {
  test('rotates with the life-time of the family, repeats a lost reply and ends a family used twice', async () => {
    const { refresh: first, riderId } = await issued()
    const second = await refresh(first)
    expect(second).toMatchObject({ rider_id: riderId, merchant_id: '', is_test: false, expires_in: 3600 })
    expect(await refresh(first)).toEqual(second)
    const third = await refresh(second.refresh_token)
    await expect(refresh(first)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
    await expect(refresh(third.refresh_token)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
    expect((await verify(third.access_token)).verdict).toBe('revoked')
    const { rows } = await admin.worker.query(
      "SELECT count(*)::int AS n FROM outbox WHERE type = 'audit.recorded' AND position($1 in encode(payload, 'escape')) > 0",
      [riderId],
    )
    expect(rows[0].n).toBe(1)
  })
})

describe('ending the tokens of a rider', () => {
  test('kills every family at once, in Postgres and in Redis, and lets new ones live', async () => {
    const one = await issued()
    const other = await issued({ rider_id: one.riderId })
    const bystander = await issued()
    expect(await dispatch().revokeRiderTokens({ rider_id: one.riderId })).toEqual({ token_version: 2 })
    expect(await admin.epochOf(`rider:${one.riderId}`)).toBe('2')
    for (const { access, refresh: refreshing } of [one, other]) {
      expect(await verify(access)).toMatchObject({ verdict: 'revoked', epoch: 2 })
      await expect(refresh(refreshing)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
    }
    expect((await verify(bystander.access)).verdict).toBe('active')
    const next = await issued({ rider_id: one.riderId })
    expect(decodeJwt(next.access)).toMatchObject({ ep: 2 })
    expect(await verify(next.access)).toMatchObject({ verdict: 'active', epoch: 2 })
  })

  test('but one family leaves that one alone, and ends the others everywhere', async () => {
    const kept = await issued()
    const other = await issued({ rider_id: kept.riderId })
    const except_session_id = decodeJwt(kept.access).sid as string
    const ended = await dispatch().revokeRiderTokens({ rider_id: kept.riderId, except_session_id })
    expect(ended).toEqual({ token_version: 1 })
    expect((await verify(kept.access)).verdict).toBe('active')
    expect(await refresh(kept.refresh)).toMatchObject({ rider_id: kept.riderId })
    expect(await verify(other.access)).toMatchObject({ verdict: 'revoked', session_epoch: 1 })
    expect(await admin.epochOf(`session:${decodeJwt(other.access).sid as string}`)).toBe('1')
    await expect(refresh(other.refresh)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
  })

  test.each([
    ['all', false],
    ['all but one family', true],
  ])('%s, repeated, ends nothing that began after the first time, and is on record once', async (_what, keepsOne) => {
    const one = await issued()
    const { riderId: rider_id } = one
    const spared = await issued({ rider_id })
    const asked = {
      rider_id,
      revocation_id: randomUUID(),
      ...(keepsOne && { except_session_id: decodeJwt(spared.access).sid as string }),
    }
    const first = await dispatch().revokeRiderTokens(asked)
    const since = await issued({ rider_id })
    expect(await dispatch().revokeRiderTokens(asked)).toEqual(first)
    expect((await verify(since.access)).verdict).toBe('active')
    expect(await refresh(since.refresh)).toMatchObject({ rider_id })
    expect((await verify(one.access)).verdict).toBe('revoked')
    expect((await verify(spared.access)).verdict).toBe(keepsOne ? 'active' : 'revoked')
    // Another revocation is another one.
    await dispatch().revokeRiderTokens({ ...asked, revocation_id: randomUUID() })
    expect((await verify(since.access)).verdict).toBe('revoked')
    await eventually(async () => {
      const { rows } = await admin.worker.query<{ entries: number }>(
        "SELECT count(*)::int AS entries FROM audit_log WHERE action = 'rider_credential.revoke' AND resource_id = $1",
        [rider_id],
      )
      expect(rows).toEqual([{ entries: 2 }])
    })
  })

  test('repeated by two at once takes effect once', async () => {
    const { riderId: rider_id } = await issued()
    const asked = { rider_id, revocation_id: randomUUID() }
    const answers = await Promise.all(Array.from({ length: 5 }, () => dispatch().revokeRiderTokens(asked)))
    expect(answers).toEqual(Array(5).fill({ token_version: 2 }))
  })

  test('counts on for a rider who never had any', async () => {
    const rider_id = randomUUID()
    expect(await dispatch().revokeRiderTokens({ rider_id })).toEqual({ token_version: 2 })
    expect(await dispatch().revokeRiderTokens({ rider_id })).toEqual({ token_version: 3 })
  })

  test('reaches the tokens that are issued beside it: they carry the new epoch or are dead', async () => {
    const rider_id = randomUUID()
    const [, ...pairs] = await Promise.all([
      dispatch().revokeRiderTokens({ rider_id }),
      ...Array.from({ length: 20 }, () => issued({ rider_id })),
    ])
    for (const { access } of pairs) {
      const expected = decodeJwt(access).ep === 2 ? 'active' : 'revoked'
      expect((await verify(access)).verdict).toBe(expected)
    }
  })
})

describe('logging out', () => {
  test('by the session of the access token ends that family alone, twice without error', async () => {
    const one = await issued()
    const other = await issued({ rider_id: one.riderId })
    const caller = riderCaller(one.riderId, { sessionId: decodeJwt(one.access).sid as string })
    await admin.credentials.as(caller).logOut({})
    await admin.credentials.as(caller).logOut({})
    expect(await verify(one.access)).toMatchObject({ verdict: 'revoked', session_epoch: 1 })
    expect(await admin.epochOf(`session:${caller.sessionId!}`)).toBe('1')
    expect((await verify(other.access)).verdict).toBe('active')
  })

  test('by the refresh token, for riders and merchants alike', async () => {
    const rider = await issued()
    const { caller } = await signUp(admin)
    const { tokens } = await admin.credentials.as(caller).exchangeApiKey({})
    for (const [refreshing, access] of [
      [rider.refresh, rider.access],
      [tokens!.refresh_token, tokens!.access_token],
    ] as const) {
      await anyone().logOut({ refresh_token: refreshing })
      await anyone().logOut({ refresh_token: refreshing })
      expect((await verify(access)).verdict).toBe('revoked')
      await expect(refresh(refreshing)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
    }
    expect((await admin.credentials.as(caller).exchangeApiKey({})).tokens).toBeDefined()
  })

  test("a caller cannot end another tenant's session, and needs one of its own", async () => {
    const { caller } = await signUp(admin)
    const other = await signUp(admin)
    const { tokens } = await admin.credentials.as(other.caller).exchangeApiKey({})
    const sessionId = decodeJwt(tokens!.access_token).sid as string
    await admin.credentials.as({ ...caller, sessionId }).logOut({})
    await admin.credentials.as(riderCaller(randomUUID(), { sessionId })).logOut({})
    expect((await verify(tokens!.access_token)).verdict).toBe('active')
    await expect(admin.credentials.as(caller).logOut({})).rejects.toEqual(refusal('validation_error'))
    await expect(anyone().logOut({ refresh_token: 'a.b.c' })).rejects.toEqual(
      refusal('unauthorized', { reason: 'invalid' }),
    )
  })
})
