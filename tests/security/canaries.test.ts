import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, type Mesh, mesh, type Receiver, receiver } from '@svc/testing'
import { Api, answered, orderBody } from '../journeys/merchant.ts'

let system: Mesh
let target: Receiver

beforeAll(async () => {
  system = await mesh({ ownServers: true })
  target = await receiver()
}, 300_000)

afterAll(async () => {
  await target?.close()
  await system?.stop()
})

const textOf = async (files: string[]) => (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')

test('no address, hash, password, key or token, of a mail neither, stands in a log of a process or of Postgres, or in a span', async () => {
  const canary = () => `canary-${randomUUID()}`
  const anyone = new Api(system.baseUrl)
  const password = canary()
  const form = (changes: object = {}) => ({
    business_name: 'Corner Shop',
    email: `${canary()}@shop.example`,
    password,
    ...changes,
  })
  const first = form()
  const signUp = (body: object) => anyone.post('/v1/public/merchants/signup', body)
  const api = anyone.bearing(answered(201, await signUp(first)).body.api_key)
  answered(409, await signUp(first))
  // Its short name is taken: the database refuses the first attempt.
  answered(201, await signUp(form()))
  answered(200, await anyone.post('/v1/public/login', { email: first.email, password }))
  answered(401, await anyone.post('/v1/public/login', { email: first.email, password: canary() }))

  answered(202, await anyone.post('/v1/public/password-reset/request', { email: first.email }))
  answered(202, await anyone.post('/v1/public/email-verification/resend', { email: `${canary()}@shop.example` }))
  // The address is confirmed before the password is chosen anew: the key lives on.
  const verification = await eventually(() => mailedTokenOf(first.email, 'email_verification'), { timeoutMs: 60_000 })
  answered(200, await anyone.post('/v1/public/email-verification/confirm', { token: verification }))
  const mailed = await eventually(() => mailedTokenOf(first.email, 'password_reset'), { timeoutMs: 60_000 })
  const reset = (token: string) => anyone.post('/v1/public/password-reset/confirm', { token, password: canary() })
  answered(400, await reset(canary()))
  answered(200, await reset(mailed))
  answered(400, await reset(mailed))

  const query = `hooks?secret=${canary()}`
  answered(200, await api.patch('/v1/me/outbound-webhook', { url: new URL(query, target.url).href, enabled: true }))
  const { order } = answered(201, await api.post('/v1/orders', orderBody({ customer_phone: '+2348035550199' }))).body
  const token = new URL(order.customer_tracking_url).pathname.split('/').at(-1) as string
  answered(200, await anyone.get(`/v1/tracking/${token}`))
  answered(404, await anyone.get(`/v1/tracking/${canary()}`))
  await anyone.get(`/v1/nowhere/${canary()}?token=${canary()}`)
  await target.waitFor(({ path }) => path.includes('canary'))

  const spans = await eventually(
    async () => {
      const text = await textOf(system.traceFiles())
      const isComplete = text.includes('/v1/tracking/:token') && text.includes('instrumentation-undici')
      return isComplete && text.includes('INSERT INTO users') && text
    },
    { message: 'spans of the route, of the delivery and of the sign-up' },
  )
  const logs = await textOf(system.logFiles())
  // The statement was refused and written down, without what it held.
  expect(logs).toContain('violates unique constraint "merchants_slug_taken"')
  const secrets = [
    'canary',
    '$argon2id$',
    token,
    verification,
    mailed,
    api.headers['authorization']?.split(' ')[1] ?? '',
    '8035550199',
  ]
  for (const secret of secrets) {
    expect({ secret, inLogs: linesWith(logs, secret) }).toEqual({ secret, inLogs: [] })
    expect({ secret, inSpans: linesWith(spans, secret) }).toEqual({ secret, inSpans: [] })
  }
})

/** Of the link of the mail that is wanted; empty until it has come. */
async function mailedTokenOf(email: string, wanted: 'email_verification' | 'password_reset'): Promise<string> {
  const { items } = answered(200, await new Api(system.providersUrl).get('/__control/outbox')).body
  const mails = items.filter((item: { to: string; template: string }) => item.to === email)
  return mails.find((mail: { template: string }) => mail.template === wanted)?.token ?? ''
}

const linesWith = (text: string, secret: string) => text.split('\n').filter((line) => line.includes(secret))
