import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SCOPES } from '@svc/credentials'
import { adminCaller } from '@svc/testing'
import { decodeJwt } from 'jose'
import {
  type Admin,
  approve,
  gatewayCaller,
  keyCaller,
  loginCaller,
  PASSWORD,
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

const writing = () => adminCaller({ permissions: ['admin.api_keys.write'] })
const write = () => admin.apiKeys.as(writing())
const read = () => admin.apiKeys.as(adminCaller({ permissions: ['admin.api_keys.read'] }))
const page = { limit: 0, offset: 0 }

async function audited(merchantId: string): Promise<string[]> {
  const { rows } = await admin.worker.query<{ payload: string }>(
    "SELECT encode(payload, 'escape') AS payload FROM outbox WHERE type = 'audit.recorded' AND merchant_id = $1 ORDER BY shard, seq",
    [merchantId],
  )
  return rows.map(({ payload }) => payload)
}

describe('keys of a merchant, by an operator', () => {
  test('are made with every scope unless told otherwise, work at once, and are listed beside its own', async () => {
    const { merchantId, key } = await signUp(admin)
    const all = await write().createApiKey({ merchant_id: merchantId, scopes: [], is_test: true })
    expect(all.key).toMatchObject({ scopes: SCOPES, enterprise_tier: false, is_test: true })
    const some = await write().createApiKey({
      merchant_id: merchantId,
      scopes: ['orders:read'],
      is_test: true,
      label: 'support',
      enterprise_tier: true,
    })
    expect(some.key).toMatchObject({ scopes: ['orders:read'], enterprise_tier: true, label: 'support' })
    expect(await verify(admin, some.api_key)).toMatchObject({ verdict: 'active', enterprise_tier: true })
    const { items, total } = await read().listApiKeys({ ...page, merchant_id: merchantId })
    expect([total, items.map(({ id }) => id).toSorted()]).toEqual([3, [key!.id, all.key!.id, some.key!.id].toSorted()])
  })

  test('are bound to what binds its own: approval, billing and their number', async () => {
    const { merchantId } = await signUp(admin)
    const live = { merchant_id: merchantId, scopes: [], is_test: false }
    await expect(write().createApiKey(live)).rejects.toEqual(refusal('kyb_required'))
    await approve(admin, merchantId)
    expect((await write().createApiKey(live)).key).toMatchObject({ is_test: false })
    await patch(admin, merchantId, { billing_status: 'canceled' })
    await expect(write().createApiKey(live)).rejects.toEqual(refusal('billing_blocked'))
  })

  test('are rotated: the old secret is dead before it answers', async () => {
    const { merchantId, api_key, key, caller } = await signUp(admin)
    const rotated = await write().rotateApiKey({ merchant_id: merchantId, id: key!.id, label: 'new' })
    expect(rotated.key).toMatchObject({ id: key!.id, label: 'new' })
    expect(await admin.epochOf(caller.credential as `key:${string}`)).toBe('2')
    expect((await verify(admin, api_key)).verdict).toBe('invalid')
    expect((await verify(admin, rotated.api_key)).verdict).toBe('active')
    const other = await signUp(admin)
    await expect(write().rotateApiKey({ merchant_id: other.merchantId, id: key!.id })).rejects.toEqual(
      refusal('not_found'),
    )
  })

  test('are revoked, of any merchant and environment, and a repeat is quiet', async () => {
    const { merchantId, caller, api_key, key } = await signUp(admin)
    await write().revokeApiKey({ id: key!.id })
    await write().revokeApiKey({ id: key!.id })
    expect(await admin.epochOf(caller.credential as `key:${string}`)).toBe('2')
    expect((await verify(admin, api_key)).verdict).toBe('revoked')
    expect((await audited(merchantId)).filter((entry) => entry.includes('api_key.revoke'))).toHaveLength(1)
    await expect(write().updateApiKey({ id: key!.id, enterprise_tier: true })).rejects.toEqual(refusal('not_found'))
  })

  test('get and lose the enterprise tier in the next act, nothing that they made ends, and it is on record', async () => {
    const { merchantId, api_key, key } = await signUp(admin)
    const narrow = keyCaller(merchantId, api_key, ['keys:manage'])
    const mint = (caller = narrow) => admin.apiKeys.as(caller).createApiKey({ scopes: ['orders:read'], is_test: true })
    await expect(mint()).rejects.toEqual(refusal('forbidden'))
    expect((await write().updateApiKey({ id: key!.id, enterprise_tier: true })).key).toMatchObject({
      id: key!.id,
      enterprise_tier: true,
    })
    expect(await verify(admin, api_key)).toMatchObject({ verdict: 'active', enterprise_tier: true, epoch: 1 })
    const { key: minted } = await mint({ ...narrow, credentialEpoch: 1 })
    // What it mints has not the tier, nor has a token of its own.
    expect(minted).toMatchObject({ scopes: ['orders:read'], enterprise_tier: false })
    await expect(mint({ ...narrow, sessionId: randomUUID() })).rejects.toEqual(refusal('forbidden'))
    await write().updateApiKey({ id: key!.id, enterprise_tier: true })
    await write().updateApiKey({ id: key!.id, enterprise_tier: false })
    expect(await verify(admin, api_key)).toMatchObject({ enterprise_tier: false, epoch: 1 })
    await expect(mint()).rejects.toEqual(refusal('forbidden'))
    const entries = (await audited(merchantId)).filter((entry) => entry.includes('api_key.update'))
    expect(entries).toHaveLength(2)
  })

  test('are marked as seen by it, and so is what they make, until their merchant rotates them', async () => {
    const { merchantId, caller } = await signUp(admin)
    const made = await write().createApiKey({ merchant_id: merchantId, scopes: [], is_test: true })
    expect(made.key).toMatchObject({ made_by_operator: true })
    expect(await verify(admin, made.api_key)).toMatchObject({ made_by_operator: true })
    const itself = keyCaller(merchantId, made.api_key)
    const further = await admin.apiKeys.as(itself).createApiKey({ scopes: [], is_test: true })
    expect(further.key).toMatchObject({ made_by_operator: true })
    const own = await admin.apiKeys.as(caller).createApiKey({ scopes: [], is_test: true })
    expect(own.key).toMatchObject({ made_by_operator: false })
    for (const by of [write(), admin.apiKeys.as(itself)]) {
      const id = own.key!.id
      const seen = await by.rotateApiKey({ id, merchant_id: merchantId })
      expect(seen.key).toMatchObject({ id, made_by_operator: true })
      const back = await admin.apiKeys.as(caller).rotateApiKey({ id })
      expect(back.key).toMatchObject({ made_by_operator: false })
      expect(await verify(admin, back.api_key)).toMatchObject({ made_by_operator: false })
    }
    const { tokens } = await admin.credentials.as(itself).exchangeApiKey({})
    const { credential, sid } = decodeJwt(tokens!.access_token) as { credential: string; sid: string }
    expect(await admin.credentials.as(gatewayCaller()).verifySession({ credential, session_id: sid })).toMatchObject({
      verdict: 'active',
      made_by_operator: true,
    })
  })

  test('a merchant gives no key the tier, names no other merchant, and reaches no key of another', async () => {
    const [ours, theirs] = [await signUp(admin), await signUp(admin)]
    const made = await admin.apiKeys.as(ours.caller).createApiKey({
      scopes: [],
      is_test: true,
      enterprise_tier: true,
      merchant_id: theirs.merchantId,
    })
    expect(made.key).toMatchObject({ enterprise_tier: false })
    expect((await read().listApiKeys({ ...page, merchant_id: theirs.merchantId })).total).toBe(1)
    expect((await read().listApiKeys({ ...page, merchant_id: ours.merchantId })).total).toBe(2)
    await expect(
      admin.apiKeys.as(loginCaller(ours.merchantId)).updateApiKey({ id: ours.key!.id, enterprise_tier: true }),
    ).rejects.toEqual(refusal('forbidden'))
  })

  test('take their permission, and a merchant and a key that there are', async () => {
    const { merchantId, key } = await signUp(admin)
    const forbidden = refusal('forbidden', { required: ['admin.api_keys.write'] })
    for (const call of [
      read().createApiKey({ merchant_id: merchantId, scopes: [], is_test: true }),
      read().rotateApiKey({ merchant_id: merchantId, id: key!.id }),
      read().revokeApiKey({ id: key!.id }),
      read().updateApiKey({ id: key!.id, enterprise_tier: true }),
    ])
      await expect(call).rejects.toEqual(forbidden)
    const unknown = { merchant_id: randomUUID() }
    for (const call of [
      read().listApiKeys({ ...page, ...unknown }),
      write().createApiKey({ ...unknown, scopes: [], is_test: true }),
      write().rotateApiKey({ ...unknown, id: key!.id }),
      write().revokeApiKey({ id: randomUUID() }),
      write().updateApiKey({ id: 'no-uuid', enterprise_tier: true }),
    ])
      await expect(call).rejects.toEqual(refusal('not_found'))
  })

  test('an operator who was deleted since the gateway looked makes none', async () => {
    const { merchantId } = await signUp(admin)
    const email = `${randomUUID()}@ops.example`
    const { identity } = await admin.operators.as(adminCaller()).createIdentity({ email, password: PASSWORD })
    const { id } = identity!
    const gone = { ...writing(), actor: { type: 'admin', id } as const, credentialEpoch: 0 }
    const asked = { merchant_id: merchantId, scopes: [], is_test: true }
    expect((await admin.apiKeys.as(gone).createApiKey(asked)).api_key).toBeTruthy()
    await admin.operators.as(adminCaller()).deleteIdentity({ id })
    await expect(admin.apiKeys.as(gone).createApiKey(asked)).rejects.toEqual(
      refusal('unauthorized', { reason: 'revoked' }),
    )
  })
})

test('the texts of keys are in no entry of the audit log', async () => {
  const { merchantId, key } = await signUp(admin)
  const { api_key } = await write().rotateApiKey({ merchant_id: merchantId, id: key!.id })
  expect((await audited(merchantId)).some((entry) => entry.includes(api_key.slice(22)))).toBe(false)
})
