import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { mintApiKey, parseApiKey, SCOPES } from '@svc/credentials'
import { eventually, testServers } from '@svc/testing'
import { decodeJwt } from 'jose'
import pg from 'pg'
import {
  type Admin,
  approve,
  gatewayCaller,
  keyCaller,
  loginCaller,
  patch,
  publicCaller,
  refusal,
  signUp,
  startAdmin,
  verify,
  verifyAll,
} from './start-admin.ts'

let admin: Admin
beforeAll(async () => {
  admin = await startAdmin()
})
afterAll(() => admin.stop())

const keysOf = (caller: Parameters<Admin['apiKeys']['as']>[0]) => admin.apiKeys.as(caller)
const wanted = (isTest: boolean, scopes: string[] = []) => ({ is_test: isTest, scopes })
const page = { limit: 0, offset: 0 }

test('verdicts on many keys come in the order asked, each on its own key, with their epochs in Redis', async () => {
  const merchants = await Promise.all([signUp(admin), signUp(admin), signUp(admin)])
  const [first, second, third] = merchants.map(({ api_key }) => api_key) as [string, string, string]
  const { keyId } = parseApiKey(second)!
  const wrongSecret = mintApiKey({ isTest: true, keyId }).text
  await keysOf(merchants[2]!.caller).revokeApiKey({ id: merchants[2]!.key!.id })
  await admin.forgetEpoch(`key:${keyId}`)
  const verdicts = await verifyAll(admin, [
    third,
    second,
    wrongSecret,
    mintApiKey({ isTest: true }).text,
    first,
    second,
  ])
  expect(verdicts.map(({ verdict, standing }) => [verdict, standing?.merchant_id])).toEqual([
    ['revoked', merchants[2]?.merchantId],
    ['active', merchants[1]?.merchantId],
    ['invalid', undefined],
    ['invalid', undefined],
    ['active', merchants[0]?.merchantId],
    ['active', merchants[1]?.merchantId],
  ])
  expect(await admin.epochOf(`key:${keyId}`)).toBe('1')
  const tooMany = Array.from({ length: 501 }, () => first)
  await expect(verifyAll(admin, tooMany)).rejects.toEqual(refusal('validation_error'))
})

describe('minting', () => {
  test('a key works at once and its text is not to be had again', async () => {
    const { caller } = await signUp(admin)
    const { api_key, key } = await keysOf(caller).createApiKey({ ...wanted(true, ['orders:read']), label: 'till 1' })
    expect(await verify(admin, api_key)).toMatchObject({ verdict: 'active', scopes: ['orders:read'], epoch: 1 })
    const { items, total } = await keysOf(caller).listApiKeys(page)
    expect(total).toBe(2)
    expect(items[0]).toEqual(key)
    expect(key).toMatchObject({ label: 'till 1', is_test: true, enterprise_tier: false, last4: api_key.slice(-4) })
    expect(JSON.stringify(items)).not.toContain(api_key.slice(22))
  })

  test('a live key needs a verified and approved business, and says what is missing', async () => {
    const { merchantId } = await signUp(admin)
    const owner = loginCaller(merchantId)
    const missing = { kyb_status: 'not_submitted', business_approval_status: 'none' }
    await expect(keysOf(owner).createApiKey(wanted(false))).rejects.toEqual(refusal('kyb_required', missing))
    await patch(admin, merchantId, { kyb_status: 'verified' })
    await expect(keysOf(owner).createApiKey(wanted(false))).rejects.toEqual(refusal('kyb_required'))
    await patch(admin, merchantId, { business_approval_status: 'approved' })
    const { api_key } = await keysOf(owner).createApiKey(wanted(false))
    expect(parseApiKey(api_key)).toMatchObject({ isTest: false })
    expect(await verify(admin, api_key)).toMatchObject({ verdict: 'active', is_test: false, scopes: SCOPES })
  })

  test('a test key mints no live key, even for an approved business', async () => {
    const { merchantId, caller } = await signUp(admin)
    await approve(admin, merchantId)
    await expect(keysOf(caller).createApiKey(wanted(false))).rejects.toEqual(refusal('forbidden'))
  })

  test('a canceled subscription blocks new keys', async () => {
    const { merchantId, caller } = await signUp(admin)
    await patch(admin, merchantId, { billing_status: 'canceled' })
    await expect(keysOf(caller).createApiKey(wanted(true))).rejects.toEqual(refusal('billing_blocked'))
  })

  test('nobody hands out scopes it does not hold, nor any without keys:manage', async () => {
    const { merchantId, api_key } = await signUp(admin)
    const narrow = keyCaller(merchantId, api_key, ['keys:manage', 'orders:read'])
    await expect(keysOf(narrow).createApiKey(wanted(true, ['orders:write']))).rejects.toEqual(
      refusal('forbidden', { required: ['orders:write'] }),
    )
    const reader = keyCaller(merchantId, api_key, ['orders:read'])
    await expect(keysOf(reader).createApiKey(wanted(true))).rejects.toEqual(refusal('forbidden'))
    const { key } = await keysOf(narrow).createApiKey(wanted(true))
    expect(key!.scopes).toEqual(['orders:read', 'keys:manage'])
    await expect(keysOf(narrow).createApiKey(wanted(true, ['wallet:read']))).rejects.toEqual(
      refusal('validation_error', { field: 'scopes[0]', allowed: [...SCOPES] }),
    )
  })

  test.each(['', 'x'.repeat(201)])('a label of 1 to 200 characters is not %j', async (label) => {
    const { caller, key } = await signUp(admin)
    const refused = refusal('validation_error', { field: 'label' })
    await expect(keysOf(caller).createApiKey({ ...wanted(true), label })).rejects.toEqual(refused)
    await expect(keysOf(caller).rotateApiKey({ id: key!.id, label })).rejects.toEqual(refused)
  })

  test('two hundred active keys are the limit, however many ask at once', async () => {
    const { merchantId, caller } = await signUp(admin)
    await admin.worker.query(
      `INSERT INTO api_keys (id, merchant_id, key_id, secret_hmac, prefix, last4, scopes, is_test, epoch, created_at)
       SELECT gen_random_uuid(), $1::uuid, substr(md5($1::text || n), 1, 12), decode(repeat('00', 32), 'hex'), 'p', 'l', '{}', true, 1, now()
         FROM generate_series(1, 197) n`,
      [merchantId],
    )
    const asked = await Promise.allSettled(Array.from({ length: 10 }, () => keysOf(caller).createApiKey(wanted(true))))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const one of asked)
      if (one.status === 'rejected') expect(one.reason).toEqual(refusal('limit_reached', { limit: 200 }))
  })
})

describe('rotating', () => {
  test.each(['rotateApiKey', 'revokeApiKey'] as const)(
    '%s waits while the merchant makes a key: none is made by an old secret afterwards',
    async (end) => {
      const { merchantId, key } = await signUp(admin)
      const inside = new URL((await testServers()).databaseAdminUrl)
      inside.pathname = new URL(admin.database.ownerUrl).pathname
      const maker = new pg.Client({ connectionString: inside.href })
      await maker.connect()
      try {
        // As minting holds it, longer than anybody waits.
        await maker.query('BEGIN')
        const held = await maker.query('SELECT FROM merchants WHERE id = $1 FOR UPDATE', [merchantId])
        expect(held.rowCount).toBe(1)
        const ended = keysOf(loginCaller(merchantId))[end]({ id: key!.id })
        await expect(ended).rejects.toEqual(refusal('service_unavailable'))
        await maker.query('COMMIT')
        await keysOf(loginCaller(merchantId))[end]({ id: key!.id })
      } finally {
        await maker.end()
      }
    },
  )

  test('kills the old secret and its tokens before it answers, and keeps the id', async () => {
    const { caller, api_key, key } = await signUp(admin)
    const credential = caller.credential as `key:${string}`
    await admin.credentials.as(caller).exchangeApiKey({})
    await verify(admin, api_key)
    expect(await admin.epochOf(credential)).toBe('1')

    const rotated = await keysOf(caller).rotateApiKey({ id: key!.id, label: 'new' })
    expect(await admin.epochOf(credential)).toBe('2')
    expect(rotated.key).toMatchObject({ id: key!.id, prefix: key!.prefix, label: 'new' })
    expect(rotated.api_key).not.toBe(api_key)
    expect((await verify(admin, api_key)).verdict).toBe('invalid')
    expect(await verify(admin, rotated.api_key)).toMatchObject({ verdict: 'active', epoch: 2 })
  })

  test('hands out a secret only to who holds the scopes of the key', async () => {
    const { merchantId, api_key, key } = await signUp(admin)
    const narrow = keyCaller(merchantId, api_key, ['keys:manage'])
    await expect(keysOf(narrow).rotateApiKey({ id: key!.id })).rejects.toEqual(refusal('forbidden'))
    expect((await verify(admin, api_key)).verdict).toBe('active')
  })

  test('does not bring a revoked key back', async () => {
    const { caller, key } = await signUp(admin)
    await keysOf(caller).revokeApiKey({ id: key!.id })
    await expect(keysOf(caller).rotateApiKey({ id: key!.id })).rejects.toEqual(refusal('not_found'))
  })
})

describe('revoking', () => {
  test('is known to every gateway before it answers, and repeats quietly', async () => {
    const { caller, api_key, key } = await signUp(admin)
    const credential = caller.credential as `key:${string}`
    expect((await verify(admin, api_key)).verdict).toBe('active')
    await keysOf(caller).revokeApiKey({ id: key!.id })
    expect(await admin.epochOf(credential)).toBe('2')
    expect(await verify(admin, api_key)).toMatchObject({ verdict: 'revoked', epoch: 2 })
    await keysOf(caller).revokeApiKey({ id: key!.id })
    expect(await admin.epochOf(credential)).toBe('2')
    const { rows } = await admin.worker.query(
      "SELECT count(*)::int FROM outbox WHERE type = 'audit.recorded' AND merchant_id = $1",
      [caller.merchantId],
    )
    // Signup, its key, one revocation.
    expect(rows[0].count).toBe(3)
  })

  test('takes every scope of the key, which a log-in holds', async () => {
    const { merchantId, api_key, key } = await signUp(admin)
    const narrow = keyCaller(merchantId, api_key, ['keys:manage', 'orders:read'])
    await expect(keysOf(narrow).revokeApiKey({ id: key!.id })).rejects.toEqual(
      refusal('forbidden', { required: SCOPES.filter((scope) => !narrow.scopes.includes(scope)) }),
    )
    expect((await verify(admin, api_key)).verdict).toBe('active')
    await keysOf(loginCaller(merchantId)).revokeApiKey({ id: key!.id })
    expect((await verify(admin, api_key)).verdict).toBe('revoked')
  })

  test('a late verdict never lowers a raised epoch, and a lost one comes back', async () => {
    const { caller, api_key, key } = await signUp(admin)
    const credential = caller.credential as `key:${string}`
    const racing = Array.from({ length: 20 }, () => verify(admin, api_key))
    await Promise.all([...racing, keysOf(caller).revokeApiKey({ id: key!.id })])
    expect(await admin.epochOf(credential)).toBe('2')
    await admin.forgetEpoch(credential)
    await verify(admin, api_key)
    expect(await admin.epochOf(credential)).toBe('2')
  })
})

describe('walls', () => {
  test("another tenant's key answers exactly like an unknown one", async () => {
    const [ours, theirs] = [await signUp(admin), await signUp(admin)]
    for (const id of [theirs.key!.id, randomUUID(), 'no-uuid']) {
      await expect(keysOf(ours.caller).revokeApiKey({ id })).rejects.toEqual(refusal('not_found'))
      await expect(keysOf(ours.caller).rotateApiKey({ id })).rejects.toEqual(refusal('not_found'))
    }
    expect((await verify(admin, theirs.api_key)).verdict).toBe('active')
    expect((await keysOf(ours.caller).listApiKeys(page)).items.map(({ id }) => id)).toEqual([ours.key!.id])
  })

  test('a test key neither sees nor touches live keys; a login does both', async () => {
    const { merchantId, caller } = await signUp(admin)
    await approve(admin, merchantId)
    const owner = loginCaller(merchantId)
    const live = await keysOf(owner).createApiKey(wanted(false))
    expect((await keysOf(caller).listApiKeys(page)).total).toBe(1)
    expect((await keysOf(owner).listApiKeys(page)).total).toBe(2)
    await expect(keysOf(caller).rotateApiKey({ id: live.key!.id })).rejects.toEqual(refusal('not_found'))
    await expect(keysOf(caller).revokeApiKey({ id: live.key!.id })).rejects.toEqual(refusal('not_found'))
    await keysOf(owner).revokeApiKey({ id: live.key!.id })
    expect((await verify(admin, live.api_key)).verdict).toBe('revoked')
  })
})

describe('verdicts', () => {
  test('a key nobody minted and a wrong secret of a real one are the same answer', async () => {
    const { api_key } = await signUp(admin)
    const forged = mintApiKey({ isTest: true, keyId: parseApiKey(api_key)!.keyId }).text
    const unknown = mintApiKey({ isTest: true }).text
    const blank = { is_test: false, scopes: [], enterprise_tier: false, epoch: 0, standing: undefined }
    expect(await verify(admin, forged)).toMatchObject({ ...blank, verdict: 'invalid' })
    expect(await verify(admin, unknown)).toMatchObject({ ...blank, verdict: 'invalid' })
  })

  test('leaving verified or approved suspends live keys at once and coming back releases them', async () => {
    const { merchantId } = await signUp(admin)
    await approve(admin, merchantId)
    const { api_key } = await keysOf(loginCaller(merchantId)).createApiKey(wanted(false))
    const live = keyCaller(merchantId, api_key)
    const credential = live.credential as `key:${string}`
    const { tokens } = await admin.credentials.as(live).exchangeApiKey({})
    expect(await verify(admin, api_key)).toMatchObject({ verdict: 'active', epoch: 1 })

    await patch(admin, merchantId, { business_approval_status: 'rejected' })
    expect(await admin.epochOf(credential)).toBe('2')
    expect(await verify(admin, api_key)).toMatchObject({ verdict: 'suspended', epoch: 2 })
    const refresh = { refresh_token: tokens!.refresh_token }
    await expect(admin.credentials.as(live).exchangeApiKey({})).rejects.toEqual(refusal('kyb_required'))
    await expect(admin.credentials.as(live).refreshToken(refresh)).rejects.toEqual(refusal('kyb_required'))

    await patch(admin, merchantId, { business_approval_status: 'approved' })
    expect(await admin.epochOf(credential)).toBe('3')
    expect((await verify(admin, api_key)).verdict).toBe('active')
    expect((await admin.credentials.as(live).refreshToken(refresh)).tokens!.is_test).toBe(false)
  })

  test('the last use of a key is written, in batches', async () => {
    const { caller, api_key } = await signUp(admin)
    await verify(admin, api_key)
    const used = async () => (await keysOf(caller).listApiKeys(page)).items[0]!.last_used_at ?? false
    expect(await eventually(used)).toMatch(/^\d{4}-/)
  })
})

describe('a key that was exchanged very often', () => {
  const FAMILIES = 50_000

  /** Families of a key, as many exchanges have left them. */
  async function multiply(merchantId: string, credential: string, count: number): Promise<void> {
    for (let first = 1; first <= count; first += 10_000)
      await admin.worker.query(
        `INSERT INTO sessions (id, merchant_id, credential, generation, rotated_at, issued_at, expires_at, epoch, created_at)
         SELECT gen_random_uuid(), $1, $2, 1, app_now(), app_now(), app_now() + interval '30 days', 0,
                app_now() - make_interval(secs => n) FROM generate_series($3::int, $4::int) AS n`,
        [merchantId, credential, first, Math.min(first + 9_999, count)],
      )
  }
  const verdictOf = async (credential: string, session_id: string) =>
    (await admin.credentials.as(gatewayCaller()).verifySession({ credential, session_id })).verdict
  const refreshed = (refresh_token: string) => admin.credentials.as(publicCaller()).refreshToken({ refresh_token })
  const alive = async (credential: string) => {
    const { rows } = await admin.worker.query<{ count: number }>(
      'SELECT count(*)::int FROM sessions WHERE credential = $1 AND revoked_at IS NULL',
      [credential],
    )
    return rows[0]!.count
  }

  test('has its dead families ended by a worker; those of the new secret live on', async () => {
    const { caller, merchantId, key, api_key } = await signUp(admin)
    const credential = caller.credential!
    await multiply(merchantId, credential, 2_500)
    const rotated = await keysOf(caller).rotateApiKey({ id: key!.id })
    const { tokens } = await admin.credentials.as(keyCaller(merchantId, rotated.api_key)).exchangeApiKey({})
    await eventually(async () => expect(await alive(credential)).toBe(1))
    expect((await refreshed(tokens!.refresh_token)).tokens?.access_token).toBeTruthy()
    expect((await verify(admin, api_key)).verdict).toBe('invalid')
  })

  test.each(['revokeApiKey', 'rotateApiKey'] as const)(
    '%s does not wait for its families to end, and every token is dead before they have',
    async (end) => {
      const { caller, merchantId, key } = await signUp(admin)
      const credential = caller.credential!
      await multiply(merchantId, credential, FAMILIES)
      const { tokens } = await admin.credentials.as(caller).exchangeApiKey({})
      const { sid } = decodeJwt(tokens!.access_token) as { sid: string }
      expect(await verdictOf(credential, sid)).toBe('active')
      await keysOf(caller)[end]({ id: key!.id })
      expect(await alive(credential)).toBeGreaterThan(0)
      expect(await verdictOf(credential, sid)).toBe('revoked')
      await expect(refreshed(tokens!.refresh_token)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
    },
  )

  test('has so many families alive and no more: the oldest end, and their tokens at once', async () => {
    const capped = await startAdmin({ FAMILIES_PER_CREDENTIAL: '3' })
    try {
      const { caller } = await signUp(capped)
      const families: Array<{ sid: string; refresh: string }> = []
      for (let n = 0; n < 5; n++) {
        const { tokens } = await capped.credentials.as(caller).exchangeApiKey({})
        families.push({ sid: decodeJwt(tokens!.access_token)['sid'] as string, refresh: tokens!.refresh_token })
      }
      const verdicts = await Promise.all(
        families.map(async ({ sid }) => {
          const asked = { credential: caller.credential!, session_id: sid }
          return (await capped.credentials.as(gatewayCaller()).verifySession(asked)).verdict
        }),
      )
      expect(verdicts).toEqual(['revoked', 'revoked', 'active', 'active', 'active'])
      expect(await capped.epochOf(`session:${families[0]!.sid}`)).toBe('1')
    } finally {
      await capped.stop()
    }
  })

  test('that is suspended keeps its families', async () => {
    const { merchantId } = await signUp(admin)
    await approve(admin, merchantId)
    const live = await keysOf(loginCaller(merchantId)).createApiKey(wanted(false))
    const { tokens } = await admin.credentials.as(keyCaller(merchantId, live.api_key)).exchangeApiKey({})
    await patch(admin, merchantId, { business_approval_status: 'rejected' })
    await patch(admin, merchantId, { business_approval_status: 'approved' })
    expect((await refreshed(tokens!.refresh_token)).tokens?.access_token).toBeTruthy()
  })
})
