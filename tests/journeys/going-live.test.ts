import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { signHook } from '@svc/payments'
import { eventually, sharedMesh } from '@svc/testing'
import { TEST_VIRUS } from '../../deploy/local/src/providers/clamd/clamd.ts'
import { Api, answered, type Reply, signUp } from './merchant.ts'

const system = sharedMesh('journeys')
const anyone = new Api(system.baseUrl)

/** Of this file alone: requests of an operator count for its identity. */
async function administrator(): Promise<Api> {
  const minted = await anyone.bearing(system.adminStaticToken).post('/v1/admin/auth/token')
  const root = anyone.bearing(answered(200, minted).body.access_token)
  const credentials = { email: `approver-${randomUUID()}@example.com`, password: `correct horse ${randomUUID()}` }
  answered(201, await root.post('/v1/admin/rbac/identities', { ...credentials, role: 'administrator' }))
  return anyone.bearing(answered(200, await anyone.post('/v1/admin/rbac/token', credentials)).body.access_token)
}

/** So seldom that asking uses up nobody's budget. */
const SELDOM = { timeoutMs: 60_000, intervalMs: 1_000 }

const mailTo = (email: string, template: string): Promise<{ token?: string; text: string }> =>
  eventually(async () => {
    const { items } = answered(200, await new Api(system.providersUrl).get('/__control/outbox')).body
    const mail = items.findLast(
      (one: { to: string; template: string }) => one.to === email && one.template === template,
    )
    expect(mail).toBeDefined()
    return mail
  })

/** Uploads the document where it is told to, and adds it. */
async function addDocument(owner: Api, bytes: Buffer): Promise<Reply> {
  const asked = { file_name: 'certificate.pdf', content_type: 'application/pdf', size_bytes: bytes.length }
  const presigned = await owner.post('/v1/me/kyb/uploads/presign', {
    ...asked,
    document_type: 'certificate_of_incorporation',
  })
  const { upload, storage_key } = answered(201, presigned).body
  const { url, method, headers } = upload
  expect((await fetch(url, { method, headers, body: new Uint8Array(bytes) })).status).toBe(200)
  return answered(201, await owner.post('/v1/me/kyb/documents', { storage_key }))
}

const scanned = (owner: Api, id: string, status: string) =>
  eventually(async () => {
    const { items } = answered(200, await owner.get('/v1/me/kyb/scan-jobs')).body
    expect(items.find((job: { id: string }) => job.id === id)).toMatchObject({ status })
  }, SELDOM)

const refused = ({ status, body }: Reply) => [status, body.error]

test('a business signs up, is verified and approved, goes live, lets another act for it, and every step is on record', async () => {
  const operator = await administrator()
  const { merchantId, email, password, test: testKey } = await signUp(system.baseUrl)
  const { token } = await mailTo(email, 'email_verification')
  answered(200, await anyone.post('/v1/public/email-verification/confirm', { token }))
  const login = answered(200, await anyone.post('/v1/public/login', { email, password })).body
  const owner = anyone.bearing(login.access_token)
  const mint = () => owner.post('/v1/me/api-keys', { label: 'shop', is_test: false })
  const decide = (decision: object) => operator.patch(`/v1/admin/merchants/${merchantId}`, decision)

  expect(refused(await mint())).toEqual([403, 'kyb_required'])
  expect(refused(await testKey.post('/v1/me/api-keys', { is_test: false }))).toEqual([403, 'forbidden'])

  const submitted = await owner.post('/v1/me/kyb/submit', { rc_number: 'RC 1', director: { bvn: '22212345678' } })
  expect(answered(200, submitted).body).toMatchObject({ ok: true, kyb_status: 'pending_review' })
  const { document } = (await addDocument(owner, Buffer.from('%PDF-1.7\na certificate'))).body
  await scanned(owner, document.id, 'clean')

  const infected = await addDocument(owner, Buffer.from(`%PDF-1.7\n${TEST_VIRUS}`))
  await scanned(owner, infected.body.document.id, 'infected')
  expect(refused(await decide({ kyb_status: 'verified' }))).toEqual([409, 'invalid_transition'])
  answered(200, await owner.post('/v1/me/kyb/submit', { rc_number: 'RC 1', director: { bvn: '22212345678' } }))

  const read = await operator.get(`/v1/admin/merchants/${merchantId}?include_kyb_payload=1`)
  const { kyb_payload } = answered(200, read).body.merchant
  expect(kyb_payload).toMatchObject({
    rc_number: 'RC 1',
    documents: [{ id: document.id, scan_status: 'clean', url: expect.any(String) }],
  })
  expect(await (await fetch(kyb_payload.documents[0].url)).text()).toBe('%PDF-1.7\na certificate')

  answered(200, await decide({ kyb_status: 'verified' }))
  await mailTo(email, 'kyb_verified')
  expect(refused(await mint())).toEqual([403, 'kyb_required'])
  const isQueued = async () => {
    const page = await operator.get('/v1/admin/merchants/business-approval-queue?limit=500')
    return answered(200, page).body.items.some(({ id }: { id: string }) => id === merchantId)
  }
  expect(await isQueued()).toBe(true)
  expect(refused(await owner.post('/v1/me/kyb/submit', {}))).toEqual([409, 'already_exists'])

  // In the very next call, and back again.
  answered(200, await decide({ business_approval_status: 'approved' }))
  const first = answered(201, await mint()).body
  answered(200, await decide({ business_approval_status: 'rejected' }))
  expect(refused(await mint())).toEqual([403, 'kyb_required'])
  expect(refused(await anyone.bearing(first.api_key).get('/v1/orders'))).toEqual([403, 'kyb_required'])
  answered(200, await decide({ business_approval_status: 'approved' }))
  const minted = answered(201, await mint()).body
  expect(minted.api_key).toMatch(/^svc_live_/)
  await mailTo(email, 'kyb_approved')
  expect(await isQueued()).toBe(false)

  const live = anyone.bearing(minted.api_key)
  const agency = await signUp(system.baseUrl)
  const scopes = ['orders:read', 'webhooks:manage']
  const granted = await live.post('/v1/me/workspace-grants', { grantee_merchant_id: agency.merchantId, scopes })
  const grantId = answered(201, granted).body.id
  const acting = agency.owner.with({ 'x-service-act-as-merchant': merchantId })
  answered(200, await acting.get('/v1/orders'))
  answered(200, await acting.patch('/v1/me/outbound-webhook', { enabled: false }))
  expect(refused(await acting.post('/v1/me/kyb/submit', { rc_number: 'RC 2' }))[0]).toBe(403)
  answered(200, await live.delete(`/v1/me/workspace-grants/${grantId}`))
  expect((await acting.get('/v1/orders')).status).toBe(403)

  answered(200, await owner.delete(`/v1/me/api-keys/${minted.id}`))
  expect(refused(await live.get('/v1/orders'))[0]).toBe(401)

  const actionsOf = async (id: string) => {
    const { logs } = answered(200, await operator.get(`/v1/admin/audit-logs?merchant_id=${id}&limit=200`)).body
    expect(JSON.stringify(logs)).not.toMatch(/22212345678|RC 1/)
    return logs.map(({ action, actor_type }: Record<string, string>) => `${action} by ${actor_type}`)
  }
  const person = 'by merchant_user'
  await eventually(
    async () =>
      expect(await actionsOf(merchantId)).toEqual(
        expect.arrayContaining([
          `merchant.signup ${person}`,
          `user.email_verify ${person}`,
          `user.login ${person}`,
          `kyb.submit ${person}`,
          `kyb.document_add ${person}`,
          'kyb.document_scan by system',
          'kyb.read by admin',
          'merchant.update by admin',
          `api_key.create ${person}`,
          'workspace_grant.create by merchant_key',
          `delegation.act ${person}`,
          'workspace_grant.revoke by merchant_key',
          `api_key.revoke ${person}`,
        ]),
      ),
    SELDOM,
  )
  const its = await eventually(async () => {
    const actions = await actionsOf(agency.merchantId)
    expect(actions).toEqual(
      expect.arrayContaining([
        'workspace_grant.create by merchant_key',
        `delegation.act ${person}`,
        'workspace_grant.revoke by merchant_key',
      ]),
    )
    return actions
  }, SELDOM)
  expect(its.filter((action: string) => action.startsWith('kyb.'))).toEqual([])
})

test('who walks through the papers of others finds nothing', async () => {
  const [one, other] = [await signUp(system.baseUrl), await signUp(system.baseUrl)]
  const { document } = (await addDocument(one.owner, Buffer.from('%PDF-1.7\nof one'))).body
  const stolen = await other.owner.post('/v1/me/kyb/documents', { storage_key: document.storage_key })
  expect([stolen.status, stolen.body.details.field]).toEqual([400, 'storage_key'])
  expect(answered(200, await other.owner.get('/v1/me/kyb/scan-jobs')).body.total).toBe(0)
  const unknown = `kyb/${one.merchantId}/${randomUUID()}.pdf`
  expect((await one.owner.post('/v1/me/kyb/documents', { storage_key: unknown })).status).toBe(400)
})

test('the word of the payment provider verifies a business, however early, late or often it comes', async () => {
  const operator = await administrator()
  const { merchantId, owner } = await signUp(system.baseUrl)
  const path = `/v1/admin/merchants/${merchantId}`
  const customer_code = `CUS_${randomUUID()}`
  answered(200, await operator.patch(path, { kyb_reference: customer_code }))
  async function told(verdict: 'success' | 'failed', more: object = {}): Promise<void> {
    const data = { customer_id: '9387490384', customer_code, email: 'owner@example.com', ...more }
    const body = Buffer.from(JSON.stringify({ event: `customeridentification.${verdict}`, data }))
    const headers = { 'x-payments-a-signature': signHook(system.paymentsSecretKey, body) }
    answered(200, await anyone.post('/webhooks/payments-a/platform', body, headers))
  }
  const becomes = (kyb_status: string) =>
    eventually(
      async () => expect(answered(200, await operator.get(path)).body.merchant).toMatchObject({ kyb_status }),
      SELDOM,
    )

  const reason = 'Account number or BVN is incorrect'
  await told('failed', { reason })
  answered(200, await owner.post('/v1/me/kyb/submit', { rc_number: 'RC 1' }))
  await becomes('rejected')
  answered(200, await owner.post('/v1/me/kyb/submit', { rc_number: 'RC 2' }))
  // The bytes of before are a repeat, and about what it submitted then.
  await told('failed', { reason })
  await told('success')
  await becomes('verified')
  await told('success')
  await told('failed')
  expect(answered(200, await operator.get(path)).body.merchant).toMatchObject({
    kyb_status: 'verified',
    business_approval_status: 'pending',
    kyb_notes: reason,
  })
})
