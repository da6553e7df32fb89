import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { signHook } from '@svc/payments'
import { eventually } from '@svc/testing'
import { placed } from '../journeys/fleet.ts'
import { answered, type Reply, signUp } from '../journeys/merchant.ts'
import { PATIENTLY, topUp } from '../journeys/money.ts'
import { type Trading, tradingMerchant, type World, world } from './world.ts'

let the: World
let merchant: Trading

beforeAll(async () => {
  the = await world()
  merchant = await tradingMerchant(the)
})

const seen = ({ status, body }: Reply) => [status, body]
const balance = async () => answered(200, await merchant.live.get('/v1/me/wallet')).body.wallet.balance_minor as number

describe('a payment counts in the mode of our key alone', () => {
  test.each(['live', undefined])('a signed event of domain %s credits nothing', async (domain) => {
    const asked = await merchant.live.post('/v1/me/wallet/payments-a-topup-intent', { amount_minor: 600_000 })
    const { reference } = answered(201, asked).body
    const before = await balance()
    const data = { id: Date.now(), domain, status: 'success', reference, amount: 600_000, currency: 'NGN' }
    const body = Buffer.from(JSON.stringify({ event: 'charge.success', data }))
    const headers = { 'x-payments-a-signature': signHook(the.system.paymentsSecretKey, body) }
    answered(200, await the.anyone.post('/webhooks/payments-a/platform', body, headers))
    await eventually(async () => {
      const { items } = (await the.operator.get('/v1/admin/ingestion-dlq')).body
      const wrong = items.filter(({ error }: { error: string }) => error === 'wrong_mode')
      return wrong.length === (domain === 'live' ? 1 : 2)
    }, PATIENTLY)
    expect(await balance()).toBe(before)
  })
})

describe('live trade needs an approved business, whatever credential asks', () => {
  test("an unverified owner's log-in places no live order", async () => {
    const unknown = await signUp(the.system.baseUrl)
    expect(seen(await unknown.owner.post('/v1/orders', placed()))).toMatchObject([403, { error: 'kyb_required' }])
  })
})

describe('four eyes are two people', () => {
  test('an operator and the identity that it made are one approver', async () => {
    await topUp(the.system, merchant.live, 20_000_000)
    const account = { bank_code: '058', account_number: '0123456789', account_name: 'Kitchen' }
    answered(201, await merchant.owner.post('/v1/me/payout-instruments', account))
    const asked = answered(201, await merchant.owner.post('/v1/me/withdrawals/request', { amount_minor: 9_000_000 }))
    const path = `/v1/admin/withdrawals/${asked.body.withdrawal.id}/approve`
    expect(seen(await the.operator.post(path))).toMatchObject([200, { withdrawal: { status: 'pending_review' } }])

    const email = `made-${randomUUID()}@example.com`
    const password = `correct horse ${randomUUID()}`
    answered(201, await the.operator.post('/v1/admin/rbac/identities', { email, password, role: 'administrator' }))
    const made = await the.anyone.post('/v1/admin/rbac/token', { email, password })
    const second = the.anyone.bearing(answered(200, made).body.access_token)
    expect(seen(await second.post(path))).toMatchObject([409, { error: 'second_approver_required' }])
  })
})

describe('who approves payouts asks for none', () => {
  test('no key that an operator has seen, nor anything made from it, names a bank account or asks for money', async () => {
    const own = await tradingMerchant(the)
    await topUp(the.system, own.live, 2_000_000)
    const path = `/v1/admin/merchants/${own.merchantId}/api-keys`
    const made = answered(201, await the.operator.post(path, { is_test: false })).body
    const seenKey = the.anyone.bearing(made.api_key)
    answered(200, await seenKey.get('/v1/orders'))

    const token = answered(200, await seenKey.post('/v1/auth/token', {})).body
    const further = answered(201, await seenKey.post('/v1/me/api-keys', { is_test: false })).body
    const { items } = answered(200, await own.owner.get('/v1/me/api-keys')).body
    const [live] = items.filter(({ label }: { label: string | null }) => label === 'live')
    expect([live.made_by_operator, made.made_by_operator, further.made_by_operator]).toEqual([false, true, true])
    const rotated = answered(200, await seenKey.post(`/v1/me/api-keys/${live.id}/rotate`)).body

    const account = { bank_code: '058', account_number: '0123456789', account_name: 'Accomplice' }
    const refused = [403, { error: 'forbidden', details: { reason: 'key_made_by_operator' } }]
    for (const secret of [made.api_key, token.access_token, further.api_key, rotated.api_key]) {
      const attacker = the.anyone.bearing(secret)
      expect(seen(await attacker.post('/v1/me/payout-instruments', account))).toMatchObject(refused)
      expect(seen(await attacker.post('/v1/me/withdrawals/request', { amount_minor: 1_000_000 }))).toMatchObject(
        refused,
      )
    }
    // What its merchant has rotated since is its own again.
    const back = answered(200, await own.owner.post(`/v1/me/api-keys/${live.id}/rotate`)).body
    answered(201, await the.anyone.bearing(back.api_key).post('/v1/me/payout-instruments', account))
  })
})

describe("an operator's password", () => {
  test('ends the tokens of the one before, and no later one', async () => {
    const email = `made-${randomUUID()}@example.com`
    const [first, next] = [`correct horse ${randomUUID()}`, `another horse ${randomUUID()}`]
    answered(
      201,
      await the.operator.post('/v1/admin/rbac/identities', { email, password: first, role: 'administrator' }),
    )
    const tokenBy = async (password: string) => {
      const minted = await the.anyone.post('/v1/admin/rbac/token', { email, password })
      return the.anyone.bearing(answered(200, minted).body.access_token)
    }
    const stolen = await tokenBy(first)
    const change = { current_password: first, new_password: next }
    answered(200, await stolen.post('/v1/admin/auth/change-password', change))
    const own = await tokenBy(next)
    expect((await stolen.get('/v1/admin/rbac/identities')).status).toBe(401)
    expect((await own.get('/v1/admin/rbac/identities')).status).toBe(200)
  })
})

describe('what cannot be verified stands in the way of nothing', () => {
  test('a thousand posts of junk from the address of the provider leave its signed hook 200, and their sender 429', async () => {
    const [flood, elsewhere] = [the.anyone.callingFrom('127.0.0.66'), the.anyone.callingFrom('127.0.0.67')]
    const event = () => Buffer.from(JSON.stringify({ event: 'nothing.of.ours', data: { reference: randomUUID() } }))
    const signed = (body: Buffer) => ({ 'x-payments-a-signature': signHook(the.system.paymentsSecretKey, body) })
    const junk: number[] = []
    for (let round = 0; round < 50; round++) {
      const merchantPath = `/webhooks/payments-a/${randomUUID()}`
      const path = round % 2 ? merchantPath : '/webhooks/payments-a/platform'
      const posts = await Promise.all(Array.from({ length: 20 }, () => flood.post(path, event(), signed(event()))))
      junk.push(...posts.map(({ status }) => status))
    }
    expect(new Set(junk)).toEqual(new Set([401, 429]))
    expect(junk.slice(200)).not.toContain(401)
    for (const sender of [flood, elsewhere]) {
      const body = event()
      answered(200, await sender.post('/webhooks/payments-a/platform', body, signed(body)))
    }
  })
})
