import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { Api, answered } from './merchant.ts'

const system = sharedMesh('journeys')

/** A browser begins the log-in, and the person of that address logs in at the provider: what it comes back to, with what. */
async function goneThere(browser: Api, path: string, email: string): Promise<{ back: string; cookie: string }> {
  const begun = answered(302, await browser.get(`${path}/login`))
  const page = new URL(begun.headers.get('location')!)
  expect(page.href.startsWith(`${system.providersUrl}/oidc/authorize?`)).toBe(true)
  page.searchParams.set('login_hint', email)
  const consented = answered(302, await new Api(page.origin).get(page.pathname + page.search))
  const callback = new URL(consented.headers.get('location')!)
  expect(callback.href.startsWith(`${system.baseUrl}${path}/callback?`)).toBe(true)
  const cookie = begun.headers.get('set-cookie')!.split(';')[0]!
  return { back: callback.pathname + callback.search, cookie }
}

test('an owner who has confirmed the address logs in at the identity provider, in one browser and once', async () => {
  const path = '/v1/public/auth/merchant-oidc'
  const browser = new Api(system.baseUrl).callingFrom('127.0.0.221')
  const email = `owner-${randomUUID()}@shop.example`
  expect(answered(200, await browser.get(`${path}/status`)).body).toEqual({ sso_available: true })
  const signup = { business_name: 'Corner Shop', email, password: `first ${randomUUID()}`, website: '' }
  const { merchant } = answered(201, await browser.post('/v1/public/merchants/signup', signup)).body

  const early = await goneThere(browser, path, email)
  const refused = answered(403, await browser.with({ cookie: early.cookie }).get(early.back)).body
  expect(refused).toMatchObject({ error: 'email_not_verified', details: { reason: 'account_not_verified' } })
  const [token] = await eventually(async () => {
    const { items } = answered(200, await new Api(system.providersUrl).get('/__control/outbox')).body
    const mails = items.filter(
      ({ to, template }: Record<string, string>) => to === email && template === 'email_verification',
    )
    expect(mails).toHaveLength(1)
    return mails.map((mail: { token: string }) => mail.token)
  })
  answered(200, await browser.post('/v1/public/email-verification/confirm', { token }))

  const { back, cookie } = await goneThere(browser, path, email)
  expect(answered(400, await browser.get(back)).body.error).toBe('invalid_token')
  const done = answered(200, await browser.with({ cookie }).get(back))
  expect(done.body).toMatchObject({ token_type: 'Bearer', merchant_id: merchant.id, is_test: null })
  expect(done.headers.get('set-cookie')).toContain('Max-Age=0')
  expect(answered(400, await browser.with({ cookie }).get(back)).body).toMatchObject({
    error: 'invalid_token',
    details: { reason: 'used' },
  })
  const owner = browser.bearing(done.body.access_token)
  expect(answered(200, await owner.get('/v1/auth/me')).body).toMatchObject({ account_email: email })
  answered(200, await owner.post('/v1/auth/logout'))
  answered(401, await owner.get('/v1/auth/me'))
})

test('an operator logs in at the identity provider with the permissions of the role, and a stranger is told what to do', async () => {
  const path = '/v1/admin/auth/oidc'
  const browser = new Api(system.baseUrl).callingFrom('127.0.0.222')
  const minted = await browser.post('/v1/admin/auth/token', { token: system.adminStaticToken })
  const root = browser.bearing(answered(200, minted).body.access_token)
  const email = `op-${randomUUID()}@ops.example`
  const identity = { email, password: `first ${randomUUID()}`, role: 'administrator' }
  answered(201, await root.post('/v1/admin/rbac/identities', identity))

  const { back, cookie } = await goneThere(browser, path, email)
  const { body } = answered(200, await browser.with({ cookie }).get(back))
  expect(body).toMatchObject({ token_type: 'Bearer', auth: 'oidc' })
  expect(body.permissions).toContain('admin.merchants.read')
  answered(200, await browser.bearing(body.access_token).get('/v1/admin/merchants?limit=1'))

  const stranger = await goneThere(browser, path, `stranger-${randomUUID()}@ops.example`)
  const refused = answered(403, await browser.with({ cookie: stranger.cookie }).get(stranger.back)).body
  expect(refused).toMatchObject({ error: 'forbidden', details: { reason: 'no_account' } })
})
