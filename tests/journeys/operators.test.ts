import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { fetch } from 'undici'
import { Api, answered, signUp } from './merchant.ts'

const system = sharedMesh('journeys')
let anyone: Api
let boss: Api

beforeAll(async () => {
  anyone = new Api(system.baseUrl)
  const minted = answered(200, await anyone.bearing(system.adminStaticToken).post('/v1/admin/auth/token'))
  boss = anyone.bearing(minted.body.access_token)
})

async function madeOperator() {
  const credentials = { email: `op-${randomUUID()}@example.com`, password: 'a long enough password' }
  const { body } = answered(201, await boss.post('/v1/admin/rbac/identities', credentials))
  const logIn = async () => {
    const token = answered(200, await anyone.post('/v1/admin/rbac/token', credentials)).body
    return { api: anyone.bearing(token.access_token), permissions: token.permissions as string[] }
  }
  return { email: credentials.email, id: body.identity.id as string, logIn }
}

/** The rows of an export, and its headers. */
async function exported(api: Api, query: string) {
  const { headers, dispatcher } = api
  const response = await fetch(`${system.baseUrl}/v1/admin/audit-logs/export?${query}`, { headers, dispatcher })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server sent
  const rows = text.split('\n').flatMap((line): any[] => (line === '' ? [] : [JSON.parse(line)]))
  return { status: response.status, headers: response.headers, rows, text }
}

const ASSIGNMENT = '/v1/admin/rbac/custom-roles/identities/assignment'
const revoked = { status: 401, body: { error: 'unauthorized', details: { reason: 'revoked' } } }

describe('an operator', () => {
  test('gets a role, reads and exports the log by it, and loses it: each time it logs in again', async () => {
    const support = await madeOperator()
    const before = await support.logIn()
    expect((await before.api.get('/v1/admin/audit-logs')).body).toMatchObject({
      error: 'forbidden',
      details: { required: ['admin.audit.read'] },
    })
    const label = `Support ${randomUUID()}`
    const role = answered(
      201,
      await boss.post('/v1/admin/rbac/custom-roles', { label, permission_keys: ['admin.audit.read'] }),
    ).body
    expect(role).toMatchObject({ label, permission_keys: ['admin.audit.read'] })
    const assigned = answered(200, await boss.patch(ASSIGNMENT, { email: support.email, role_id: role.id })).body
    expect(assigned.identity).toMatchObject({ id: support.id, custom_role_id: role.id })
    expect(await before.api.get('/v1/admin/audit-logs')).toMatchObject(revoked)

    const reading = await support.logIn()
    expect(reading.permissions).toEqual(['admin.audit.read'])
    const acts = `resource_type=operator&action=operator.role_assign`
    const found = await eventually(async () => {
      const { body } = answered(200, await reading.api.get(`/v1/admin/audit-logs?limit=200&${acts}`))
      return body.logs.find(({ resource_id }: { resource_id: string }) => resource_id === support.id) ?? false
    })
    expect(found).toMatchObject({
      actor_type: 'admin',
      actor_id: 'static',
      before: { custom_role_id: null, permissions: [] },
      after: { custom_role_id: role.id, permissions: ['admin.audit.read'] },
    })
    expect((await exported(reading.api, acts)).status).toBe(403)

    const permission_keys = ['admin.audit.read', 'admin.audit.export']
    answered(200, await boss.patch(`/v1/admin/rbac/custom-roles/${role.id}`, { permission_keys }))
    expect(await reading.api.get('/v1/admin/audit-logs')).toMatchObject(revoked)
    const exporting = await support.logIn()
    const log = await exported(exporting.api, `limit=5000&${acts}`)
    expect([log.status, log.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
    expect(log.rows.find(({ resource_id }) => resource_id === support.id)).toEqual(found)
    const one = await exported(exporting.api, 'limit=1')
    expect([one.rows.length, one.headers.get('x-truncated')]).toEqual([1, 'true'])

    expect((await boss.send('DELETE', `/v1/admin/rbac/custom-roles/${role.id}`)).body.error).toBe('role_in_use')
    answered(200, await boss.patch(ASSIGNMENT, { email: support.email, role_id: null }))
    expect((await support.logIn()).permissions).toEqual([])
    answered(200, await boss.send('DELETE', `/v1/admin/rbac/custom-roles/${role.id}`))
  })

  test('makes, raises, rotates and ends keys of a merchant, each at once', async () => {
    const { merchantId } = await signUp(system.baseUrl)
    const keys = `/v1/admin/merchants/${merchantId}/api-keys`
    const made = answered(201, await boss.post(keys, { is_test: true, scopes: ['keys:manage'], label: 'help' })).body
    const key = anyone.bearing(made.api_key)
    const mint = () => key.post('/v1/me/api-keys', { is_test: true, scopes: ['orders:read'] })
    expect((await mint()).status).toBe(403)
    answered(200, await boss.patch(`/v1/admin/api-keys/${made.id}`, { enterprise_tier: true }))
    answered(201, await mint())
    answered(200, await boss.patch(`/v1/admin/api-keys/${made.id}`, { enterprise_tier: false }))
    expect((await mint()).status).toBe(403)
    const rotated = answered(200, await boss.post(`${keys}/${made.id}/rotate`, {})).body
    expect((await mint()).status).toBe(401)
    expect((await anyone.bearing(rotated.api_key).get('/v1/me/api-keys')).status).toBe(200)
    answered(200, await boss.send('DELETE', `/v1/admin/api-keys/${made.id}`))
    expect((await anyone.bearing(rotated.api_key).get('/v1/me/api-keys')).status).toBe(401)
    const listed = answered(200, await boss.get(keys)).body
    expect(listed.total).toBe(3)
    expect(listed.items.find(({ id }: { id: string }) => id === made.id).revoked_at).toEqual(expect.any(String))
    const users = answered(200, await boss.get(`/v1/admin/merchants/${merchantId}/users`)).body
    expect(users).toMatchObject({ total: 1, items: [{ merchant_id: merchantId, role: 'owner' }] })
    await eventually(async () => {
      const { body } = answered(200, await boss.get(`/v1/admin/audit-logs?merchant_id=${merchantId}&limit=200`))
      const actions: string[] = body.logs.map(({ action }: { action: string }) => action)
      return ['api_key.create', 'api_key.update', 'api_key.rotate', 'api_key.revoke'].every((one) =>
        actions.includes(one),
      )
    })
  })

  test('sets the engine of all merchants only with the words for it', async () => {
    const path = '/v1/admin/merchants/messaging-engine-bulk'
    for (const confirmation of [undefined, 'yes', 'update_all_merchants'])
      expect((await boss.post(path, { confirmation, messaging_engine: 'rules' })).body).toMatchObject({
        error: 'validation_error',
        details: { field: 'confirmation' },
      })
    expect(
      (await boss.post(path, { confirmation: 'UPDATE_ALL_MERCHANTS', messaging_engine: 'magic' })).body,
    ).toMatchObject({ error: 'validation_error', details: { field: 'messaging_engine' } })
    expect((await boss.get(path)).status).toBe(405)
  })
})
