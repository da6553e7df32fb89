import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { mintApiKey, parseApiKey, SCOPES } from '@svc/credentials'
import { eventually } from '@svc/testing'
import {
  type Admin,
  approve,
  keyCaller,
  loginCaller,
  patch,
  refusal,
  signUp,
  startAdmin,
  verify,
} from './start-admin.ts'

let admin: Admin
beforeAll(async () => {
  admin = await startAdmin()
})
afterAll(() => admin.stop())

const keysOf = (caller: Parameters<Admin['apiKeys']['as']>[0]) => admin.apiKeys.as(caller)
const wanted = (isTest: boolean, scopes: string[] = []) => ({ is_test: isTest, scopes })
const page = { limit: 0, offset: 0 }

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
    const { rows } = await admin.worker.query('SELECT revoked_at FROM sessions WHERE credential = $1', [credential])
    expect(rows).toEqual([{ revoked_at: expect.any(Date) }])
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
    expect(await eventually(used, { timeoutMs: 15_000 })).toMatch(/^\d{4}-/)
  })
})
