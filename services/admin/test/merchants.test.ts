import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { MerchantFact } from '@svc/contracts/admin/v1/merchant'
import { adminCaller } from '@svc/testing'
import {
  type Admin,
  approve,
  loginCaller,
  PASSWORD,
  patch,
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

const operator = (...permissions: string[]) => adminCaller({ permissions })
const list = (fields: object = {}, caller = adminCaller()) =>
  admin.merchants.as(caller).listMerchants({ limit: 0, offset: 0, ...fields })
const get = (id: string, caller = adminCaller()) =>
  admin.merchants.as(caller).getMerchant({ id, include_kyb_payload: false })

async function factsOf(merchantId: string) {
  const { rows } = await admin.worker.query<{ type: string; aggregate_version: number; payload: Buffer }>(
    'SELECT type, aggregate_version, payload FROM outbox WHERE aggregate_id = $1 ORDER BY seq',
    [merchantId],
  )
  return rows.map(({ type, aggregate_version, payload }) => ({
    type,
    aggregate_version,
    ...MerchantFact.decode(payload),
  }))
}

describe("a merchant's own account", () => {
  test('names the merchant and the address that speaks for it', async () => {
    const { caller, merchant, email } = await signUp(admin)
    const account = await admin.merchants.as(caller).getAccount({})
    expect(account).toEqual({ merchant, account_email: email, email_verified: false })
    const { rows } = await admin.worker.query('SELECT id FROM users WHERE email = $1', [email])
    const login = loginCaller(merchant!.id, rows[0].id)
    expect(await admin.merchants.as(login).getAccount({})).toEqual(account)
  })

  test('is, for a log-in that acts for it, the address of its owner', async () => {
    const [grantor, grantee] = [await signUp(admin), await signUp(admin)]
    const { rows } = await admin.worker.query('SELECT id FROM users WHERE email = $1', [grantee.email])
    const acting = { ...loginCaller(grantor.merchantId, rows[0].id), actingFor: grantor.merchantId }
    expect(await admin.merchants.as(acting).getAccount({})).toMatchObject({
      merchant: { id: grantor.merchantId },
      account_email: grantor.email,
    })
  })

  test('is nobody else’s: without a tenant forbidden, of an unknown tenant not found', async () => {
    await expect(admin.merchants.as(publicCaller()).getAccount({})).rejects.toEqual(refusal('forbidden'))
    await expect(admin.merchants.as(adminCaller()).getAccount({})).rejects.toEqual(refusal('forbidden'))
    await expect(admin.merchants.as(loginCaller(randomUUID())).getAccount({})).rejects.toEqual(refusal('not_found'))
  })
})

describe('operators and merchants', () => {
  test('each act takes its permission', async () => {
    const { merchantId } = await signUp(admin)
    const nobody = operator()
    await expect(list({}, nobody)).rejects.toEqual(refusal('forbidden', { required: ['admin.merchants.read'] }))
    await expect(get(merchantId, nobody)).rejects.toEqual(refusal('forbidden', { required: ['admin.merchants.read'] }))
    await expect(
      patch(admin, merchantId, { billing_status: 'trialing' }, operator('admin.merchants.approve')),
    ).rejects.toEqual(refusal('forbidden', { required: ['admin.merchants.write'] }))
    const writer = operator('admin.merchants.write')
    const both = { kyb_status: 'verified', business_approval_status: 'approved' }
    await expect(patch(admin, merchantId, both, writer)).rejects.toEqual(
      refusal('forbidden', { required: ['admin.merchants.approve'] }),
    )
    expect((await get(merchantId)).merchant).toMatchObject({
      kyb_status: 'not_submitted',
      business_approval_status: 'none',
    })
    await patch(admin, merchantId, { kyb_status: 'verified' }, writer)
    // The route of a change shows the merchant after it.
    expect((await get(merchantId, writer)).merchant).toMatchObject({ kyb_status: 'verified' })
    const { merchant } = await patch(
      admin,
      merchantId,
      { business_approval_status: 'approved' },
      operator('admin.merchants.approve'),
    )
    expect(merchant).toMatchObject(both)
  })

  test('a merchant with every permission claimed is still no operator', async () => {
    const { caller, merchantId } = await signUp(admin)
    const claiming = { ...caller, permissions: ['admin.merchants.read', 'admin.merchants.write'] }
    await expect(get(merchantId, claiming)).rejects.toEqual(refusal('forbidden'))
  })

  test('a fresh merchant is approved in one call', async () => {
    const { merchantId } = await signUp(admin)
    const { merchant } = await approve(admin, merchantId)
    expect(merchant).toMatchObject({ kyb_status: 'verified', business_approval_status: 'approved', version: 2 })
  })

  test('every change is announced with the state after it and audited before and after; a repetition is silent', async () => {
    const { merchantId } = await signUp(admin)
    const fields = {
      billing_status: 'past_due',
      dispatch_mode: 'batch',
      dispatch_batch_size: 5,
      kyb_notes: 'call back',
    }
    await patch(admin, merchantId, fields)
    await patch(admin, merchantId, fields)
    const facts = await factsOf(merchantId)
    expect(facts.map(({ type, aggregate_version }) => [type, aggregate_version])).toEqual([
      ['merchant.created', 1],
      ['merchant.updated', 2],
    ])
    expect(facts[1]!.merchant).toMatchObject({ ...fields, version: 2 })
    const cleared = await patch(admin, merchantId, { clear_fields: ['kyb_notes'] })
    expect(cleared.merchant).toMatchObject({ kyb_notes: undefined, version: 3 })
  })

  test.each([
    [{ merchant_tier: 'gold' }, 'merchant_tier'],
    [{ billing_status: 'cancelled' }, 'billing_status'],
    [{ messaging_engine: 'magic' }, 'messaging_engine'],
    [{ dispatch_mode: '' }, 'dispatch_mode'],
    [{ fulfillment_mode: 'pigeon' }, 'fulfillment_mode'],
    [{ kyb_status: 'great' }, 'kyb_status'],
    [{ business_approval_status: 'great' }, 'business_approval_status'],
    [{ clear_fields: ['name'] }, 'clear_fields[0]'],
  ])('%j is refused and the allowed words are named', async (fields, field) => {
    const { merchantId } = await signUp(admin)
    await expect(patch(admin, merchantId, { kyb_notes: 'lost', ...fields })).rejects.toEqual(
      refusal('validation_error', { field, allowed: expect.any(Array) }),
    )
    expect((await get(merchantId)).merchant!.version).toBe(1)
  })

  test('the terms of a hybrid tier are whole numbers from 0 on, and can be cleared', async () => {
    const { merchantId } = await signUp(admin)
    const terms = { billing_included_allowance: 0, billing_overage_fee_minor: Number.MAX_SAFE_INTEGER }
    expect((await patch(admin, merchantId, terms)).merchant).toMatchObject(terms)
    const { merchant } = (await factsOf(merchantId)).at(-1)!
    expect(merchant).toMatchObject({ ...terms, version: 2 })
    for (const field of ['billing_included_allowance', 'billing_overage_fee_minor']) {
      await expect(patch(admin, merchantId, { [field]: -1 })).rejects.toEqual(refusal('validation_error', { field }))
      expect((await patch(admin, merchantId, { clear_fields: [field] })).merchant).toMatchObject({ [field]: undefined })
    }
  })

  test('a transition that does not exist is refused and changes nothing of the patch', async () => {
    const { merchantId } = await signUp(admin)
    await expect(patch(admin, merchantId, { kyb_notes: 'lost', business_approval_status: 'approved' })).rejects.toEqual(
      refusal('invalid_transition', { field: 'business_approval_status' }),
    )
    expect((await get(merchantId)).merchant).toMatchObject({ kyb_notes: undefined, version: 1 })
  })

  test('concurrent patches all take effect and every version is announced once', async () => {
    const { merchantId } = await signUp(admin)
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => patch(admin, merchantId, { kyb_reference: `reference ${n}` })),
    )
    expect((await factsOf(merchantId)).map(({ aggregate_version }) => aggregate_version)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9,
    ])
  })

  test.each([randomUUID(), 'no-uuid'])('merchant %s does not exist', async (id) => {
    await expect(get(id)).rejects.toEqual(refusal('not_found'))
    await expect(patch(admin, id, { kyb_notes: 'x' })).rejects.toEqual(refusal('not_found'))
  })

  test('the list finds by a piece of the name, taken literally, and by verification', async () => {
    const mark = randomUUID().slice(0, 8)
    const one = await signUp(admin, { business_name: `Foo 100% ${mark}` })
    const two = await signUp(admin, { business_name: `Bar_baz ${mark}` })
    await approve(admin, two.merchantId)
    const names = async (fields: object) => (await list(fields)).items.map(({ id }) => id)
    expect(await names({ q: mark.toUpperCase() })).toEqual([two.merchantId, one.merchantId])
    expect(await names({ q: `100% ${mark}` })).toEqual([one.merchantId])
    expect(await names({ q: `r_baz ${mark}` })).toEqual([two.merchantId])
    expect(await names({ q: `% ${mark}%` })).toEqual([])
    expect(await names({ q: mark, kyb_status: 'verified' })).toEqual([two.merchantId])
    expect(await list({ q: mark, limit: 1, offset: 1 })).toMatchObject({
      items: [{ id: one.merchantId }],
      total: 2,
      limit: 1,
      offset: 1,
    })
    expect((await list({ limit: 500 })).limit).toBe(500)
    await expect(list({ limit: 501 })).rejects.toMatchObject({ code: 'validation_error', details: { field: 'limit' } })
    await expect(list({ kyb_status: 'great' })).rejects.toEqual(refusal('validation_error', { field: 'kyb_status' }))
  })
})

test('a login still works when the whole account is of another spelling', async () => {
  const { email } = await signUp(admin, { email: `Mixed.${randomUUID()}@Example.com` })
  expect(
    (await admin.credentials.as(publicCaller()).logIn({ email: email.toLowerCase(), password: PASSWORD })).tokens,
  ).toBeDefined()
})
