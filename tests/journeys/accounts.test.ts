import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { Api, answered } from './merchant.ts'

const system = sharedMesh('journeys')

/** The tokens of the mails to the address, oldest first, once there are so many. */
const tokensOf = (email: string, template: string, count: number): Promise<string[]> =>
  eventually(
    async () => {
      const { items } = answered(200, await new Api(system.providersUrl).get('/__control/outbox')).body
      const mails = items.filter(
        (item: { to: string; template: string }) => item.to === email && item.template === template,
      )
      expect(mails).toHaveLength(count)
      return mails.map(({ token }: { token: string }) => token)
    },
    { timeoutMs: 60_000 },
  )

test('an owner signs up, confirms the address by mail, forgets the password, chooses another and is in again', async () => {
  const email = `owner-${randomUUID()}@shop.example`
  const [password, next, last] = [`first ${randomUUID()}`, `second ${randomUUID()}`, `third ${randomUUID()}`]
  const anyone = new Api(system.baseUrl).callingFrom('127.0.0.201')
  const logIn = (by: string) => anyone.post('/v1/public/login', { email, password: by })
  const signup = { business_name: 'Corner Shop', email, password, website: '' }
  const { api_key } = answered(201, await anyone.post('/v1/public/merchants/signup', signup)).body
  const key = anyone.bearing(api_key)

  const [verification] = await tokensOf(email, 'email_verification', 1)
  const confirmed = await anyone.post('/v1/public/email-verification/confirm', { token: verification })
  expect(answered(200, confirmed).body).toEqual({ ok: true })
  const again = await anyone.post('/v1/public/email-verification/confirm', { token: verification })
  expect(answered(400, again).body.error).toBe('invalid_token')
  const first = answered(200, await logIn(password)).body
  const owner = anyone.bearing(first.access_token)
  expect(answered(200, await owner.get('/v1/auth/me')).body).toMatchObject({
    account_email: email,
    email_verified: true,
  })

  const asked = await anyone.post('/v1/public/password-reset/request', { email: email.toUpperCase(), website: '' })
  expect(answered(202, asked).body).toEqual({ ok: true })
  const stranger = { email: `nobody-${randomUUID()}@shop.example` }
  expect(answered(202, await anyone.post('/v1/public/password-reset/request', stranger)).body).toEqual({ ok: true })
  expect(answered(202, await anyone.post('/v1/public/email-verification/resend', stranger)).body).toEqual({ ok: true })
  const filled = { email, website: 'https://spam.example' }
  expect(answered(202, await anyone.post('/v1/public/password-reset/request', filled)).body).toEqual({ ok: true })
  const [token] = await tokensOf(email, 'password_reset', 1)
  const weak = await anyone.post('/v1/public/password-reset/confirm', { token, password: 'too short' })
  expect(answered(400, weak).body).toMatchObject({ error: 'validation_error', details: { field: 'password' } })
  answered(200, await anyone.post('/v1/public/password-reset/confirm', { token, password: next }))

  answered(401, await logIn(password))
  answered(401, await owner.get('/v1/auth/me'))
  answered(401, await anyone.post('/v1/auth/refresh', { refresh_token: first.refresh_token }))
  expect(answered(200, await key.get('/v1/auth/me')).body.account_email).toBe(email)

  const second = anyone.bearing(answered(200, await logIn(next)).body.access_token)
  const change = (current: string) =>
    second.post('/v1/auth/change-password', { current_password: current, new_password: last })
  expect(answered(403, await change(password)).body).toMatchObject({
    error: 'forbidden',
    details: { field: 'current_password' },
  })
  expect(answered(200, await change(next)).body).toEqual({ ok: true })
  answered(401, await second.get('/v1/auth/me'))
  answered(200, await logIn(last))
})

test('mails that anybody may ask for are few per address, whether or not it has an account', async () => {
  const asking = (n: number) => new Api(system.baseUrl).callingFrom(`127.0.0.${n}`)
  for (const [path, limit, from] of [
    ['/v1/public/password-reset/request', 'password-reset-email', 202],
    ['/v1/public/email-verification/resend', 'email-verification-email', 208],
  ] as const) {
    const email = `${randomUUID()}@nobody.example`
    for (let n = 0; n < 3; n++) answered(202, await asking(from + n).post(path, { email }))
    const refused = answered(429, await asking(from + 3).post(path, { email: ` ${email.toUpperCase()}`.trim() }))
    expect(refused.body).toMatchObject({ error: 'rate_limited', details: { limit, quota: 3, window_seconds: 3600 } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
})
