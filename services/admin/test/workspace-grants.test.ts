import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { WorkspaceGrant } from '@svc/contracts/admin/v1/workspace_grant_service'
import type { MerchantScope } from '@svc/credentials'
import type { Caller } from '@svc/grpc'
import { eventually } from '@svc/testing'
import { decodeJwt } from 'jose'
import {
  type Admin,
  approve,
  gatewayCaller,
  keyCaller,
  loginCaller,
  publicCaller,
  refusal,
  signUp,
  startAdmin,
} from './start-admin.ts'

let admin: Admin
beforeAll(async () => {
  admin = await startAdmin()
})
afterAll(() => admin.stop())

const HOUR = 3_600_000
const DAY = 24 * HOUR
const page = { limit: 0, offset: 0 }
const by = (caller: Caller) => admin.grants.as(caller)
const asGateway = () => admin.grants.as(gatewayCaller())

async function pair() {
  const [grantor, grantee] = [await signUp(admin), await signUp(admin)]
  return { grantor, grantee }
}
type Pair = Awaited<ReturnType<typeof pair>>

async function give({ grantor, grantee }: Pair, scopes: MerchantScope[] = ['orders:read'], caller = grantor.caller) {
  const { grant } = await by(caller).createWorkspaceGrant({ grantee_merchant_id: grantee.merchantId, scopes })
  return grant as WorkspaceGrant
}

const verdictOf = ({ grantor, grantee }: Pair) =>
  asGateway().verifyWorkspaceGrant({
    grantor_merchant_id: grantor.merchantId,
    grantee_merchant_id: grantee.merchantId,
  })

const actOf = ({ grantor, grantee }: Pair, epoch: number) => ({
  grantor_merchant_id: grantor.merchantId,
  grantee_merchant_id: grantee.merchantId,
  epoch,
  actor_type: 'merchant_key',
  actor_id: grantee.caller.actor.id,
  is_test: true,
  operation: 'createOrder',
  path: '/v1/orders',
})

describe('a grant', () => {
  test('is shown to both of its merchants and to nobody else', async () => {
    const merchants = await pair()
    const { grantor, grantee } = merchants
    const grant = await give(merchants, ['orders:write', 'orders:read', 'orders:read'])
    expect(grant).toMatchObject({
      grantor_merchant_id: grantor.merchantId,
      grantee_merchant_id: grantee.merchantId,
      scopes: ['orders:read', 'orders:write'],
      is_test: true,
      status: 'active',
      revoked_at: undefined,
    })
    for (const { caller } of [grantor, grantee])
      expect(await by(caller).listWorkspaceGrants(page)).toMatchObject({ items: [grant], total: 1 })
    const stranger = await signUp(admin)
    expect(await by(stranger.caller).listWorkspaceGrants(page)).toMatchObject({ items: [], total: 0 })
    const asked = { grantor_merchant_id: grantor.merchantId }
    expect((await by(grantee.caller).getActiveWorkspaceGrant(asked)).grant).toEqual(grant)
    for (const { caller } of [grantor, stranger])
      await expect(by(caller).getActiveWorkspaceGrant(asked)).rejects.toEqual(refusal('not_found'))
  })

  test('gives no scope that the credential lacks, and needs keys:manage and a merchant that is there', async () => {
    const merchants = await pair()
    const { grantor, grantee } = merchants
    const narrow = keyCaller(grantor.merchantId, grantor.api_key, ['keys:manage', 'orders:read'])
    await expect(give(merchants, ['orders:read', 'orders:write'], narrow)).rejects.toEqual(
      refusal('forbidden', { required: ['orders:write'] }),
    )
    const reader = keyCaller(grantor.merchantId, grantor.api_key, ['orders:read'])
    await expect(give(merchants, ['orders:read'], reader)).rejects.toEqual(
      refusal('forbidden', { required: ['keys:manage'] }),
    )
    const refused = (grantee_merchant_id: string) =>
      by(grantor.caller).createWorkspaceGrant({ grantee_merchant_id, scopes: ['orders:read'] })
    await expect(refused(randomUUID())).rejects.toEqual(refusal('not_found'))
    await expect(refused('no id')).rejects.toEqual(refusal('validation_error', { field: 'grantee_merchant_id' }))
    await expect(refused(grantor.merchantId.toUpperCase())).rejects.toEqual(
      refusal('validation_error', { field: 'grantee_merchant_id', rule: 'another_merchant' }),
    )
    const none = { grantee_merchant_id: grantee.merchantId, scopes: [] }
    await expect(by(grantor.caller).createWorkspaceGrant(none)).rejects.toEqual(
      refusal('validation_error', { field: 'scopes' }),
    )
  })

  test('is given once at a time, by however many ask, and again under its id after its end', async () => {
    const merchants = await pair()
    const asked = await Promise.allSettled(Array.from({ length: 6 }, () => give(merchants)))
    const [given, ...others] = asked.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
    expect(others).toEqual([])
    for (const one of asked) if (one.status === 'rejected') expect(one.reason).toEqual(refusal('grant_exists'))
    await by(merchants.grantor.caller).revokeWorkspaceGrant({ id: given!.id })
    const again = await give(merchants, ['webhooks:manage'])
    expect(again).toMatchObject({ id: given!.id, scopes: ['webhooks:manage'], status: 'active' })
    expect(await verdictOf(merchants)).toMatchObject({ verdict: 'active', scopes: ['webhooks:manage'], epoch: 3 })
  })

  test('is given ten times in 24 hours at most, whoever asks: no merchant fills the log of another', async () => {
    const merchants = await pair()
    const { grantor, grantee } = merchants
    const { id } = await give(merchants)
    const end = () => by(grantor.caller).revokeWorkspaceGrant({ id })
    try {
      for (let n = 2; n <= 10; n++) {
        await end()
        // The last nine an hour after the first.
        await admin.database.shiftClock(HOUR)
        expect(await give(merchants)).toMatchObject({ id })
      }
      await end()
      const refused = await give(merchants).catch((error: unknown) => error)
      expect(refused).toMatchObject({ code: 'limit_reached', details: { limit: 10, again_at: expect.any(String) } })
      const { again_at } = (refused as { details: { again_at: string } }).details
      const { items } = await by(grantee.caller).listWorkspaceGrants(page)
      expect(items[0]).toMatchObject({ id, status: 'revoked' })
      expect(Date.parse(again_at)).toBeGreaterThanOrEqual(Date.parse(items[0]!.created_at!) + DAY)
      // The first is of another day; the others are not yet.
      await admin.database.shiftClock(DAY + HOUR / 2)
      expect(await give(merchants)).toMatchObject({ id, status: 'active' })
      await end()
      await expect(give(merchants)).rejects.toMatchObject({ code: 'limit_reached' })
      expect(await give({ grantor, grantee: await signUp(admin) })).toMatchObject({ status: 'active' })
    } finally {
      await admin.database.shiftClock(0)
    }
  })

  test('ends by its grantor alone, as often as asked', async () => {
    const merchants = await pair()
    const { grantor, grantee } = merchants
    const { id } = await give(merchants)
    const stranger = await signUp(admin)
    await expect(by(grantee.caller).revokeWorkspaceGrant({ id })).rejects.toEqual(
      refusal('forbidden', { reason: 'grantor_only' }),
    )
    await expect(by(stranger.caller).revokeWorkspaceGrant({ id })).rejects.toEqual(refusal('not_found'))
    await expect(by(grantor.caller).revokeWorkspaceGrant({ id: randomUUID() })).rejects.toEqual(refusal('not_found'))
    await by(grantor.caller).revokeWorkspaceGrant({ id })
    await by(grantor.caller).revokeWorkspaceGrant({ id })
    const { items } = await by(grantee.caller).listWorkspaceGrants(page)
    expect(items[0]).toMatchObject({ id, status: 'revoked', revoked_at: expect.any(String) })
    await expect(
      by(grantee.caller).getActiveWorkspaceGrant({ grantor_merchant_id: grantor.merchantId }),
    ).rejects.toEqual(refusal('not_found'))
  })

  test('is neither given nor ended by who acts for its grantor', async () => {
    const merchants = await pair()
    const { id } = await give(merchants)
    const delegate = { ...merchants.grantor.caller, actingFor: merchants.grantor.merchantId }
    const refused = refusal('forbidden', { reason: 'acting_for_another' })
    await expect(give(merchants, ['orders:read'], delegate)).rejects.toEqual(refused)
    await expect(by(delegate).revokeWorkspaceGrant({ id })).rejects.toEqual(refused)
  })
})

describe('the wall between test and live', () => {
  test('stands for grants: what a test key gives reaches no live object, and it ends nothing that does', async () => {
    const merchants = await pair()
    const { grantor, grantee } = merchants
    const asked = { grantor_merchant_id: grantor.merchantId }
    const live: Caller = { ...grantee.caller, isTest: false }
    const { id, is_test } = await give(merchants)
    expect(is_test).toBe(true)
    await expect(by(live).getActiveWorkspaceGrant(asked)).rejects.toEqual(refusal('not_found'))
    await by(grantor.caller).revokeWorkspaceGrant({ id })

    const owner = { ...loginCaller(grantor.merchantId), isTest: false }
    expect(await give(merchants, ['orders:read'], owner)).toMatchObject({ id, is_test: false })
    expect((await by(live).getActiveWorkspaceGrant(asked)).grant).toMatchObject({ id })
    await expect(by(grantor.caller).revokeWorkspaceGrant({ id })).rejects.toEqual(
      refusal('forbidden', { reason: 'live_mode_required' }),
    )
    await by(owner).revokeWorkspaceGrant({ id })
  })
})

describe('the verdict on a grant', () => {
  test('is for the gateway, tells where the grantor stands, and puts the epoch where gateways look', async () => {
    const merchants = await pair()
    const { grantor, grantee } = merchants
    const credential = `grant:${grantor.merchantId}:${grantee.merchantId}` as const
    expect(await verdictOf(merchants)).toMatchObject({ verdict: 'none', epoch: 0, standing: undefined })
    expect(await admin.epochOf(credential)).toBeNull()
    const { id } = await give(merchants)
    expect(await admin.epochOf(credential)).toBe('1')
    expect(await verdictOf(merchants)).toMatchObject({
      verdict: 'active',
      scopes: ['orders:read'],
      is_test: true,
      epoch: 1,
      standing: { merchant_id: grantor.merchantId },
      may_trade_live: false,
    })
    await approve(admin, grantor.merchantId)
    expect(await verdictOf(merchants)).toMatchObject({ may_trade_live: true })
    await by(grantor.caller).revokeWorkspaceGrant({ id })
    expect(await admin.epochOf(credential)).toBe('2')
    expect(await verdictOf(merchants)).toMatchObject({ verdict: 'none', epoch: 2, scopes: [], standing: undefined })
    await expect(
      by(grantee.caller).verifyWorkspaceGrant({
        grantor_merchant_id: grantor.merchantId,
        grantee_merchant_id: grantee.merchantId,
      }),
    ).rejects.toEqual(refusal('forbidden'))
  })
})

describe('what a grantee changes', () => {
  const entriesOf = async (merchantId: string, action: string) => {
    const { rows } = await admin.worker.query<{ actor_id: string; on_behalf_of: string | null; after_json: object }>(
      'SELECT actor_id, on_behalf_of, after_json FROM audit_log WHERE merchant_id = $1 AND action = $2 ORDER BY seq',
      [merchantId, action],
    )
    return rows
  }

  test('stands in the audit log of both tenants, and so do the gift and its end', async () => {
    const merchants = await pair()
    const { grantor, grantee } = merchants
    const { id } = await give(merchants)
    await asGateway().recordDelegatedAct(actOf(merchants, 1))
    await by(grantor.caller).revokeWorkspaceGrant({ id })
    for (const { merchantId } of [grantor, grantee]) {
      await eventually(async () => {
        expect(await entriesOf(merchantId, 'workspace_grant.create')).toHaveLength(1)
        expect(await entriesOf(merchantId, 'workspace_grant.revoke')).toHaveLength(1)
        expect(await entriesOf(merchantId, 'delegation.act')).toEqual([
          {
            actor_id: grantee.caller.actor.id,
            on_behalf_of: grantor.merchantId,
            after_json: {
              operation: 'createOrder',
              path: '/v1/orders',
              grantor_merchant_id: grantor.merchantId,
              grantee_merchant_id: grantee.merchantId,
            },
          },
        ])
      })
    }
  })

  test('stands in the log of its grantor alone once a hundred others gave the grantee theirs that day: many fill it no more than one', async () => {
    const grantee = await signUp(admin)
    await admin.worker.query(
      `WITH strangers AS (
         INSERT INTO merchants SELECT stranger.* FROM merchants m, generate_series(1, 100) n,
           json_populate_record(m, json_build_object('id', gen_random_uuid(), 'slug', m.slug || '-' || n)) stranger
          WHERE m.id = $1 RETURNING id)
       INSERT INTO workspace_grants (id, grantor_merchant_id, grantee_merchant_id, scopes, is_test, epoch, created_at)
       SELECT gen_random_uuid(), id, $1, '{orders:read}', true, 1, app_now() FROM strangers`,
      [grantee.merchantId],
    )
    const merchants = { grantor: await signUp(admin), grantee }
    const { id } = await give(merchants)
    await by(merchants.grantor.caller).revokeWorkspaceGrant({ id })
    await eventually(async () =>
      expect(await entriesOf(merchants.grantor.merchantId, 'workspace_grant.revoke')).toHaveLength(1),
    )
    const heard = async () =>
      (await entriesOf(grantee.merchantId, 'workspace_grant.create')).length +
      (await entriesOf(grantee.merchantId, 'workspace_grant.revoke')).length
    expect(await heard()).toBe(0)
    expect((await by(grantee.caller).listWorkspaceGrants(page)).items[0]).toMatchObject({ id, status: 'revoked' })
    try {
      await admin.database.shiftClock(DAY + HOUR)
      await give(merchants)
      await eventually(async () => expect(await heard()).toBe(1))
    } finally {
      await admin.database.shiftClock(0)
    }
  })

  test('is refused once the grant has ended or was given anew, whatever a gateway still believes', async () => {
    const merchants = await pair()
    const refused = refusal('forbidden', { reason: 'no_active_grant' })
    await expect(asGateway().recordDelegatedAct(actOf(merchants, 0))).rejects.toEqual(refused)
    const { id } = await give(merchants)
    await by(merchants.grantor.caller).revokeWorkspaceGrant({ id })
    for (const epoch of [1, 2])
      await expect(asGateway().recordDelegatedAct(actOf(merchants, epoch))).rejects.toEqual(refused)
    await give(merchants)
    await expect(asGateway().recordDelegatedAct(actOf(merchants, 1))).rejects.toEqual(refused)
    await asGateway().recordDelegatedAct(actOf(merchants, 3))
  })

  test('is refused with a live key while the grantor may not trade live', async () => {
    const merchants = await pair()
    await give(merchants, ['orders:read'], { ...loginCaller(merchants.grantor.merchantId), isTest: false })
    const live = { ...actOf(merchants, 1), is_test: false }
    await expect(asGateway().recordDelegatedAct(live)).rejects.toEqual(refusal('kyb_required'))
    await approve(admin, merchants.grantor.merchantId)
    await asGateway().recordDelegatedAct(live)
  })
})

describe('tokens that act for a grantor', () => {
  const exchange = async ({ grantor, grantee }: Pair) =>
    (await admin.credentials.as(grantee.caller).exchangeApiKey({ grantor_merchant_id: grantor.merchantId })).tokens!
  const refresh = async (token: string) =>
    (await admin.credentials.as(publicCaller()).refreshToken({ refresh_token: token })).tokens!
  const revoked = refusal('unauthorized', { reason: 'revoked' })

  test('say for whom, by which grant, and hold the scopes that key and grant have', async () => {
    const merchants = await pair()
    const { grantor, grantee } = merchants
    await give(merchants, ['orders:read', 'webhooks:manage'])
    const tokens = await exchange(merchants)
    expect(tokens).toMatchObject({
      merchant_id: grantee.merchantId,
      grantor_merchant_id: grantor.merchantId,
      scopes: ['orders:read', 'webhooks:manage'],
    })
    const next = await refresh(tokens.refresh_token)
    for (const { access_token } of [tokens, next])
      expect(decodeJwt(access_token)).toMatchObject({
        merchant_id: grantee.merchantId,
        grantor_merchant_id: grantor.merchantId,
        grant_ep: 1,
        scopes: ['orders:read', 'webhooks:manage'],
      })
    expect(await refresh(tokens.refresh_token)).toEqual(next)
    const own = (await admin.credentials.as(grantee.caller).exchangeApiKey({})).tokens!
    expect(own.grantor_merchant_id).toBeUndefined()
    expect(decodeJwt(own.access_token)).not.toHaveProperty('grantor_merchant_id')
  })

  test('are made by nobody without an active grant and a scope in common', async () => {
    const merchants = await pair()
    const none = refusal('forbidden', { reason: 'no_active_grant' })
    await expect(exchange(merchants)).rejects.toEqual(none)
    const { id } = await give(merchants, ['webhooks:manage'])
    const { api_key } = await admin.apiKeys
      .as(merchants.grantee.caller)
      .createApiKey({ scopes: ['orders:read'], is_test: true })
    const narrow = keyCaller(merchants.grantee.merchantId, api_key, ['orders:read'])
    await expect(
      admin.credentials.as(narrow).exchangeApiKey({ grantor_merchant_id: merchants.grantor.merchantId }),
    ).rejects.toEqual(refusal('forbidden', { reason: 'no_common_scope' }))
    await by(merchants.grantor.caller).revokeWorkspaceGrant({ id })
    await expect(exchange(merchants)).rejects.toEqual(none)
    const delegate = { ...merchants.grantee.caller, actingFor: merchants.grantor.merchantId }
    await expect(admin.credentials.as(delegate).exchangeApiKey({})).rejects.toEqual(
      refusal('forbidden', { reason: 'acting_for_another' }),
    )
  })

  test('are not refreshed once the grant has ended, nor after it was given again', async () => {
    const merchants = await pair()
    const { id } = await give(merchants)
    const { refresh_token } = await exchange(merchants)
    await by(merchants.grantor.caller).revokeWorkspaceGrant({ id })
    await expect(refresh(refresh_token)).rejects.toEqual(revoked)
    await give(merchants)
    await expect(refresh(refresh_token)).rejects.toEqual(revoked)
    expect(await refresh((await exchange(merchants)).refresh_token)).toMatchObject({ scopes: ['orders:read'] })
  })
})
