import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { mintApiKey } from '@svc/credentials'
import { eventually, sharedMesh } from '@svc/testing'
import { Api, orderBody, type SignedUp, signUp } from './merchant.ts'
import { topUp } from './money.ts'

const id = '00000000-0000-4000-8000-000000000000'

/** Every merchant route with the scopes of which any one admits. */
const merchantRoutes: Array<[string, string, string[]]> = [
  ['POST', '/v1/orders', ['orders:write']],
  ['POST', '/v1/orders/preflight', ['orders:write']],
  ['GET', '/v1/orders', ['orders:read', 'orders:write']],
  ['GET', `/v1/orders/${id}`, ['orders:read', 'orders:write']],
  ['PATCH', `/v1/orders/${id}`, ['orders:write']],
  ['POST', `/v1/orders/${id}/cancel`, ['orders:write']],
  ['GET', '/v1/shipments', ['orders:read', 'orders:write']],
  ['POST', '/v1/shipments/bulk-json', ['orders:write']],
  ['GET', `/v1/shipments/${id}`, ['orders:read', 'orders:write']],
  ['POST', `/v1/shipments/${id}/submit`, ['orders:write']],
  ['POST', `/v1/shipments/${id}/cancel`, ['orders:write']],
  ['POST', '/v1/test/simulator/orders', ['orders:write']],
  ['POST', '/v1/test/simulator/rider-action', ['orders:write']],
  ['POST', '/v1/test/simulator/orders/auto', ['orders:write']],
  ['GET', '/v1/me/outbound-webhook', ['webhooks:manage']],
  ['PATCH', '/v1/me/outbound-webhook', ['webhooks:manage']],
  ['POST', '/v1/me/outbound-webhook/test', ['webhooks:manage']],
  ['POST', '/v1/me/outbound-webhook/rotate-secret', ['webhooks:manage']],
  ['POST', '/v1/me/outbound-webhook/replay', ['webhooks:manage']],
  ['GET', '/v1/me/outbound-webhook/deliveries', ['webhooks:manage']],
  ['POST', `/v1/me/outbound-webhook/deliveries/${id}/retry`, ['webhooks:manage']],
  ['GET', '/v1/events', ['orders:read', 'webhooks:manage']],
  ['GET', '/v1/me/api-keys', ['keys:manage', 'orders:read']],
  ['POST', '/v1/me/api-keys', ['keys:manage']],
  ['POST', `/v1/me/api-keys/${id}/rotate`, ['keys:manage']],
  ['DELETE', `/v1/me/api-keys/${id}`, ['keys:manage']],
  ['POST', '/v1/me/kyb/uploads/presign', ['orders:write']],
  ['POST', '/v1/me/kyb/documents', ['orders:write']],
  ['GET', '/v1/me/kyb/scan-jobs', ['orders:read', 'orders:write']],
]

const adminRoutes: Array<[string, string]> = [
  ['GET', '/v1/admin/rbac/identities'],
  ['POST', '/v1/admin/rbac/identities'],
  ['DELETE', `/v1/admin/rbac/identities/${id}`],
  ['GET', '/v1/admin/merchants'],
  ['GET', '/v1/admin/merchants/business-approval-queue'],
  ['GET', `/v1/admin/merchants/${id}`],
  ['PATCH', `/v1/admin/merchants/${id}`],
  ['GET', '/v1/admin/orders'],
  ['GET', `/v1/admin/orders/${id}`],
  ['POST', `/v1/admin/orders/${id}/cancel`],
  ['GET', `/v1/admin/merchants/${id}/outbound-webhook-deliveries`],
  ['POST', `/v1/admin/outbound-webhook-deliveries/${id}/retry`],
]

const system = sharedMesh('journeys')
let merchant: SignedUp
let anyone: Api
let operator: Api
let bystander: Api

beforeAll(async () => {
  merchant = await signUp(system.baseUrl)
  anyone = new Api(system.baseUrl)
  const minted = await anyone.bearing(system.adminStaticToken).post('/v1/admin/auth/token')
  operator = anyone.bearing(minted.body.access_token)
  const credentials = { email: `plain-${randomUUID()}@example.com`, password: 'a long enough password' }
  const made = await operator.post('/v1/admin/rbac/identities', credentials)
  expect(made.status).toBe(201)
  const login = await anyone.post('/v1/admin/rbac/token', credentials)
  expect(login.body.permissions).toEqual([])
  bystander = anyone.bearing(login.body.access_token)
})

const newKey = async (scopes: string[], from: Api = merchant.owner) => {
  const created = await from.post('/v1/me/api-keys', { is_test: true, scopes })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  return {
    id: created.body.id as string,
    api: anyone.bearing(created.body.api_key),
    text: created.body.api_key as string,
  }
}

describe('credentials that are not good answer 401 and say why', () => {
  test.each([...merchantRoutes.map(([m, p]) => [m, p]), ...adminRoutes])(
    '%s %s without a credential',
    async (method, path) => {
      const reply = await anyone.send(method as string, path as string)
      expect([reply.status, reply.body.error, reply.body.details]).toEqual([401, 'unauthorized', { reason: 'missing' }])
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/)
    },
  )

  test('malformed, unknown and tampered credentials are invalid on every merchant route', async () => {
    const pair = await merchant.test.post('/v1/auth/token')
    const [head, claims, signature] = pair.body.access_token.split('.')
    const bad = [
      'svc_test_short',
      'not-a-credential',
      mintApiKey({ isTest: true }).text,
      pair.body.refresh_token,
      [head, claims, signature.split('').toReversed().join('')].join('.'),
      [Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url'), claims, ''].join('.'),
    ]
    for (const [method, path] of merchantRoutes) {
      for (const token of bad) {
        const reply = await anyone.bearing(token).send(method, path)
        expect([method, path, reply.status, reply.body.details?.reason]).toEqual([method, path, 401, 'invalid'])
      }
    }
  })

  test('a valid credential of the wrong class is invalid, both ways', async () => {
    for (const [method, path] of adminRoutes) expect((await merchant.test.send(method, path)).status).toBe(401)
    for (const [method, path] of merchantRoutes) expect((await operator.send(method, path)).status).toBe(401)
    expect((await merchant.owner.post('/v1/auth/token')).status).toBe(401)
  })
})

describe('scopes and permissions', () => {
  test('a key without the scope gets 403 naming what is required; with it, never 401 or 403', async () => {
    const all = ['orders:read', 'orders:write', 'keys:manage', 'webhooks:manage', 'riders:location']
    const keys = Object.fromEntries(
      await Promise.all(all.map(async (scope) => [scope, await newKey([scope])] as const)),
    )
    for (const [method, path, admitted] of merchantRoutes) {
      for (const scope of all) {
        const reply = await keys[scope]!.api.send(method, path, method === 'GET' ? undefined : { is_test: true })
        if (admitted.includes(scope))
          expect([method, path, scope, [401, 403].includes(reply.status)]).toEqual([method, path, scope, false])
        else
          expect([method, path, scope, reply.status, reply.body.error]).toEqual([method, path, scope, 403, 'forbidden'])
      }
    }
  })

  test('an operator without permissions is refused on every admin route with the permission named', async () => {
    for (const [method, path] of adminRoutes) {
      const reply = await bystander.send(method, path)
      expect([method, path, reply.status, reply.body.error]).toEqual([method, path, 403, 'forbidden'])
      expect(reply.body.details.required).toEqual([expect.stringMatching(/^admin\./)])
    }
  })

  test('a key can mint only scopes that it holds', async () => {
    const narrow = await newKey(['keys:manage', 'orders:read'])
    expect((await narrow.api.post('/v1/me/api-keys', { is_test: true, scopes: ['orders:write'] })).status).toBe(403)
    const unknown = await narrow.api.post('/v1/me/api-keys', { is_test: true, scopes: ['orders:fly'] })
    expect([unknown.status, unknown.body.error]).toEqual([400, 'validation_error'])
  })
})

describe('revocation and rotation are effective at once', () => {
  test('a revoked key and every token minted from it answer 401 on the next request', async () => {
    const key = await newKey(['orders:read', 'orders:write'])
    const pair = await key.api.post('/v1/auth/token')
    const token = anyone.bearing(pair.body.access_token)
    expect([(await key.api.get('/v1/orders')).status, (await token.get('/v1/orders')).status]).toEqual([200, 200])
    expect((await merchant.owner.delete(`/v1/me/api-keys/${key.id}`)).status).toBe(200)
    for (const api of [key.api, token]) {
      const reply = await api.get('/v1/orders')
      expect([reply.status, reply.body.details.reason]).toEqual([401, 'revoked'])
    }
    expect((await anyone.post('/v1/auth/refresh', { refresh_token: pair.body.refresh_token })).status).toBe(401)
    expect((await merchant.owner.delete(`/v1/me/api-keys/${key.id}`)).status).toBe(200)
  })

  test('a rotated key keeps its id; the old secret is dead, the new one works', async () => {
    const key = await newKey(['orders:read'])
    expect((await key.api.get('/v1/orders')).status).toBe(200)
    const rotated = await merchant.owner.post(`/v1/me/api-keys/${key.id}/rotate`)
    expect([rotated.status, rotated.body.id]).toEqual([200, key.id])
    expect((await key.api.get('/v1/orders')).status).toBe(401)
    expect((await anyone.bearing(rotated.body.api_key).get('/v1/orders')).status).toBe(200)
  })

  test('a refresh token works once; its second use after the grace ends the family', async () => {
    const key = await newKey(['orders:read'])
    const first = await key.api.post('/v1/auth/token')
    const second = await anyone.post('/v1/auth/refresh', { refresh_token: first.body.refresh_token })
    expect(second.status).toBe(200)
    const replayed = await anyone.post('/v1/auth/refresh', { refresh_token: first.body.refresh_token })
    expect(replayed.body.refresh_token).toBe(second.body.refresh_token)
    const third = await anyone.post('/v1/auth/refresh', { refresh_token: second.body.refresh_token })
    expect(third.status).toBe(200)
    const reused = await anyone.post('/v1/auth/refresh', { refresh_token: first.body.refresh_token })
    expect([reused.status, reused.body.details.reason]).toEqual([401, 'revoked'])
    expect((await anyone.bearing(third.body.access_token).get('/v1/orders')).status).toBe(401)
  })
})

test('a deleted operator is out on the next request', async () => {
  const password = 'a long enough password'
  const administrator = (name: string) => ({
    email: `${name}-${randomUUID()}@example.com`,
    password,
    role: 'administrator',
  })
  await operator.post('/v1/admin/rbac/identities', administrator('stayer'))
  const credentials = administrator('leaver')
  const made = await operator.post('/v1/admin/rbac/identities', credentials)
  const leaver = anyone.bearing((await anyone.post('/v1/admin/rbac/token', credentials)).body.access_token)
  expect((await leaver.get('/v1/admin/merchants')).status).toBe(200)
  expect((await operator.delete(`/v1/admin/rbac/identities/${made.body.identity.id}`)).status).toBe(200)
  const reply = await leaver.get('/v1/admin/merchants')
  expect([reply.status, reply.body.details.reason]).toEqual([401, 'revoked'])
})

describe('the wall between test and live', () => {
  test('approval in one call lets a merchant mint live keys, and neither side sees the other', async () => {
    const refused = await merchant.owner.post('/v1/me/api-keys', {})
    expect([refused.status, refused.body.error]).toEqual([403, 'kyb_required'])
    const approval = { kyb_status: 'verified', business_approval_status: 'approved' }
    const approved = await operator.patch(`/v1/admin/merchants/${merchant.merchantId}`, approval)
    expect([approved.status, approved.body.merchant]).toEqual([200, expect.objectContaining(approval)])
    const minted = await merchant.owner.post('/v1/me/api-keys', {})
    expect([minted.status, minted.body.is_test]).toEqual([201, false])
    const live = anyone.bearing(minted.body.api_key)
    const liveToken = anyone.bearing((await live.post('/v1/auth/token')).body.access_token)

    const testOrder = (await merchant.test.post('/v1/orders', orderBody())).body.order.id
    await topUp(system, live, 600_000)
    const liveOrder = (await live.post('/v1/orders', orderBody())).body.order.id
    expect((await live.get(`/v1/orders/${testOrder}`)).status).toBe(404)
    expect((await merchant.test.get(`/v1/orders/${liveOrder}`)).status).toBe(404)
    expect((await live.get('/v1/orders?is_test=true')).body.orders).toEqual([])
    expect((await merchant.owner.get(`/v1/orders/${testOrder}`)).status).toBe(200)
    expect((await merchant.owner.get(`/v1/orders/${liveOrder}`)).status).toBe(200)

    for (const path of [
      '/v1/test/simulator/orders',
      '/v1/test/simulator/orders/auto',
      '/v1/test/simulator/rider-action',
    ]) {
      const reply = await live.post(path, {
        order_id: liveOrder,
        action: 'accept',
        ...orderBody().standardized,
        external_order_id: 'x',
      })
      expect([path, reply.status, reply.body.error]).toEqual([path, 403, 'test_mode_required'])
    }
    const own = await merchant.test.post('/v1/test/simulator/rider-action', { order_id: liveOrder, action: 'accept' })
    expect([own.status, own.body.error]).toEqual([403, 'test_mode_required'])

    const suspended = await operator.patch(`/v1/admin/merchants/${merchant.merchantId}`, {
      business_approval_status: 'rejected',
    })
    expect(suspended.status).toBe(200)
    for (const suspendedCaller of [live, liveToken]) {
      const blocked = await suspendedCaller.get('/v1/orders')
      expect([blocked.status, blocked.body.error]).toEqual([403, 'kyb_required'])
    }
  })

  test('a blocked billing status refuses new orders within five seconds and not cancellation', async () => {
    const other = await signUp(system.baseUrl)
    const order = (await other.test.post('/v1/orders', orderBody())).body.order.id
    await operator.patch(`/v1/admin/merchants/${other.merchantId}`, { billing_status: 'compliance_hold' })
    const refused = await eventually(
      async () => {
        const reply = await other.test.post('/v1/orders', orderBody())
        return reply.status === 403 && reply
      },
      // Five seconds, and what a busy machine adds to them.
      { timeoutMs: 30_000, intervalMs: 500 },
    )
    expect(refused.body.error).toBe('billing_blocked')
    expect((await other.test.post(`/v1/orders/${order}/cancel`, { reason: 'other' })).status).toBe(200)
  })
})
