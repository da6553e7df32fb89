import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import { replies } from '../src/samples/replies.ts'
import { call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault } from './vault.ts'

const SECRET = '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11.1900000000.digest'
const MERCHANT = '/v1/public/auth/merchant-oidc'
const OPERATOR = '/v1/admin/auth/oidc'
const PAGE = 'https://login.example/authorize?state=s'

let upstream: Upstream
let tls: Running
let plain: Running

beforeAll(async () => {
  upstream = await startUpstream(await createVault())
  tls = await startGateway(upstream, { publicBaseUrl: 'https://api.example' })
  plain = await startGateway(upstream, { publicBaseUrl: 'http://127.0.0.1:8080' })
})

afterAll(async () => {
  await tls?.gateway.stop()
  await plain?.gateway.stop()
  await upstream?.stop()
})

const asked = (rpc: string) => upstream.asked.filter((one) => one.rpc === rpc).at(-1)?.request

describe.each([
  ['owners', MERCHANT, 'merchant-sign-on', 'Merchant', replies.completeMerchantSignOn.tokens.access_token],
  ['operators', OPERATOR, 'operator-sign-on', 'Operator', replies.completeOperatorSignOn.token.access_token],
])('the log-in of %s', (_who, path, cookie, name, token) => {
  test('sends the browser to the provider with a secret that no script reads and no other host writes', async () => {
    const attempt = { url: PAGE, secret: SECRET, max_age_seconds: 600 }
    upstream.answers.set(`begin${name}SignOn`, { attempt })
    const answer = await call(tls.url, 'GET', `${path}/login?redirect_uri=https://evil.example&success_url=x`)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, PAGE])
    expect(answer.headers.get('set-cookie')).toBe(
      `__Host-${cookie}=${SECRET}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure`,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(asked(`begin${name}SignOn`)).toEqual({})
    const local = await call(plain.url, 'GET', `${path}/login`)
    expect(local.headers.get('set-cookie')).toBe(`${cookie}=${SECRET}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`)
  })

  test('comes back with what the provider sent and the browser kept, which is forgotten then', async () => {
    const kept = { cookie: `a=b; __Host-${cookie}=${SECRET}; __Host-other=1` }
    const query = 'code=c%2Fd&state=s&iss=https%3A%2F%2Flogin.example&session_state=z&id_token=x'
    const answer = await call(tls.url, 'GET', `${path}/callback?${query}`, { headers: kept })
    expect(answer).toMatchObject({ status: 200, body: { access_token: token } })
    expect(answer.headers.get('set-cookie')).toMatch(new RegExp(`^__Host-${cookie}=; Max-Age=0; `))
    expect(asked(`complete${name}SignOn`)).toEqual({
      callback: { secret: SECRET, code: 'c/d', state: 's', iss: 'https://login.example', error: undefined },
    })
  })

  test.each([
    ['none', {}],
    ['one that a neighbouring host could have written', { cookie: `${cookie}=${SECRET}` }],
    ['two', { cookie: `__Host-${cookie}=${SECRET}; __Host-${cookie}=${SECRET}` }],
  ])('shows no secret where the browser keeps %s', async (_name, headers) => {
    await call(tls.url, 'GET', `${path}/callback?code=c&state=s`, { headers })
    expect(asked(`complete${name}SignOn`)).toMatchObject({ callback: { secret: '' } })
  })

  test('passes the refusals on, and judges nothing that is longer than any provider sends', async () => {
    for (const [code, status] of [
      ['sso_not_configured', 503],
      ['invalid_token', 400],
      ['token_expired', 410],
      ['unauthorized', 401],
      ['forbidden', 403],
      ['email_not_verified', 403],
    ] as const) {
      upstream.answers.set(`complete${name}SignOn`, new ServiceError(code, { details: { reason: 'r' } }))
      const answer = await call(tls.url, 'GET', `${path}/callback?code=c&state=s`)
      expect([answer.status, answer.body.error]).toEqual([status, code])
    }
    upstream.answers.delete(`complete${name}SignOn`)
    for (const field of ['code', 'state', 'iss', 'error']) {
      const answer = await call(tls.url, 'GET', `${path}/callback?${field}=${'x'.repeat(5_000)}`)
      expect([answer.status, answer.body.details?.field]).toEqual([400, field])
    }
  })
})

describe('where a success URL is configured', () => {
  test('the tokens go there in the fragment, and stand in no body', async () => {
    const tokens = {
      access_token: 'a&b',
      refresh_token: 'r',
      expires_in: 3600,
      refresh_expires_in: 2_592_000,
      scopes: ['orders:read', 'orders:write'],
      merchant_id: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11',
    }
    upstream.answers.set('completeMerchantSignOn', { tokens, success_url: 'https://app.example/welcome?a=b' })
    const answer = await call(tls.url, 'GET', `${MERCHANT}/callback?code=c&state=s`)
    upstream.answers.delete('completeMerchantSignOn')
    const [page, fragment] = answer.headers.get('location')!.split('#')
    expect([answer.status, answer.body, page]).toEqual([302, {}, 'https://app.example/welcome?a=b'])
    expect(Object.fromEntries(new URLSearchParams(fragment))).toEqual({
      access_token: 'a&b',
      refresh_token: 'r',
      token_type: 'Bearer',
      expires_in: '3600',
      refresh_expires_in: '2592000',
      merchant_id: tokens.merchant_id,
      scope: 'orders:read orders:write',
    })
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('an operator’s token says how it was got and what it permits', async () => {
    const token = { access_token: 'a', expires_in: 3600, permissions: ['admin.orders.read', 'admin.orders.write'] }
    upstream.answers.set('completeOperatorSignOn', { token, success_url: 'https://console.example/' })
    const answer = await call(tls.url, 'GET', `${OPERATOR}/callback?code=c&state=s`)
    upstream.answers.delete('completeOperatorSignOn')
    const [page, fragment] = answer.headers.get('location')!.split('#')
    expect([answer.status, answer.body, page]).toEqual([302, {}, 'https://console.example/'])
    expect(Object.fromEntries(new URLSearchParams(fragment))).toEqual({
      access_token: 'a',
      token_type: 'Bearer',
      auth: 'oidc',
      expires_in: '3600',
      permissions: 'admin.orders.read admin.orders.write',
    })
  })
})

test.each([
  [`${MERCHANT}/status`, { rateSignOnStatusPerMinute: 1 }],
  [`${MERCHANT}/login`, { rateSignOnPerMinute: 1 }],
  [`${MERCHANT}/callback`, { rateSignOnPerMinute: 1 }],
  [`${OPERATOR}/login`, { rateAdminTokenPerMinute: 1 }],
  [`${OPERATOR}/callback`, { rateAdminTokenPerMinute: 1 }],
])('%s is counted by address', async (path, limits) => {
  const narrow = await startGateway(upstream, limits)
  try {
    expect((await call(narrow.url, 'GET', path)).status).toBeLessThan(400)
    const answer = await call(narrow.url, 'GET', path)
    expect([answer.status, answer.body.error]).toEqual([429, 'rate_limited'])
  } finally {
    await narrow.gateway.stop()
  }
})

test('whether there is single sign-on is one word', async () => {
  for (const available of [true, false]) {
    upstream.answers.set('getMerchantSignOn', { available })
    expect((await call(tls.url, 'GET', `${MERCHANT}/status`)).body).toEqual({ sso_available: available })
  }
  upstream.answers.delete('getMerchantSignOn')
})
