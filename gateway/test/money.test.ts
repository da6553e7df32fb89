import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import { merchant } from '../src/samples/replies/merchant.ts'
import { moneyReplies, withdrawal } from '../src/samples/replies/money.ts'
import { call } from './call.ts'
import { type Asked, effectsOf, type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault, type Vault } from './vault.ts'

let vault: Vault
let upstream: Upstream
let running: Running

beforeAll(async () => {
  vault = await createVault()
  upstream = await startUpstream(vault)
  running = await startGateway(upstream)
})
afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})
beforeEach(() => {
  upstream.asked.length = 0
  upstream.answers.clear()
})

const id = '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11'
const TOPUP = '/v1/me/wallet/payments-a-topup-intent'
const live = () => vault.key({ isTest: false })

function lastAsked(rpc: string): Asked {
  const last = upstream.asked.findLast((asked) => asked.rpc === rpc)
  if (!last) throw new Error(`nobody asked ${rpc}`)
  return last
}

describe('an amount is an exact integer of minor units', () => {
  const tokens = { merchant: () => vault.key(), rider: () => vault.rider(), operator: () => vault.operator() }
  const takers: Array<
    [method: string, path: string, who: keyof typeof tokens, field: string, body: (amount: unknown) => object]
  > = [
    ['POST', TOPUP, 'merchant', 'amount_minor', (amount_minor) => ({ amount_minor })],
    ['PUT', '/v1/test/wallet', 'merchant', 'balance_minor', (balance_minor) => ({ balance_minor })],
    ['POST', '/v1/me/withdrawals/request', 'merchant', 'amount_minor', (amount_minor) => ({ amount_minor })],
    ['POST', '/v1/riders/me/withdrawals/request', 'rider', 'amount_minor', (amount_minor) => ({ amount_minor })],
    [
      'PUT',
      `/v1/admin/merchants/${id}/commission`,
      'operator',
      'rules[0].amount_minor',
      (amount_minor) => ({ rules: [{ amount_minor }] }),
    ],
    [
      'PATCH',
      `/v1/admin/merchants/${id}`,
      'operator',
      'billing_overage_fee_minor',
      (billing_overage_fee_minor) => ({ billing_overage_fee_minor }),
    ],
  ]
  const wrong = ['600000', '', 600_000.5, 2 ** 53, 1e300, true, [600_000], {}]
  /** Of these the wallet judges the bounds, and names them. */
  const isBoundedBehind = (field: string) => field === 'amount_minor'

  test.each(takers)('%s %s', async (method, path, who, field, body) => {
    const token = await tokens[who]()
    for (const amount of isBoundedBehind(field) ? wrong : [...wrong, -1]) {
      const answer = await call(running.url, method, path, { token, body: body(amount) })
      expect([amount, answer.status, answer.body.error, answer.body.details?.field]).toEqual([
        amount,
        400,
        'validation_error',
        field,
      ])
    }
    expect(effectsOf(upstream)).toEqual([])
    const largest = await call(running.url, method, path, { token, body: body(Number.MAX_SAFE_INTEGER) })
    expect(largest.status).toBeLessThan(300)
    expect(JSON.stringify(upstream.asked)).toContain(String(Number.MAX_SAFE_INTEGER))
  })
})

describe('a top-up', () => {
  test('that is replayed says so, in the body and in a header', async () => {
    const sent = { token: live(), body: { amount_minor: 600_000 }, headers: { 'idempotency-key': 'k' } }
    const first = await call(running.url, 'POST', TOPUP, sent)
    expect([first.status, first.body.idempotent_replay, first.headers.get('idempotent-replayed')]).toEqual([
      201,
      false,
      null,
    ])
    upstream.answers.set('createTopupIntent', { ...first.body, idempotent_replay: true })
    const again = await call(running.url, 'POST', TOPUP, sent)
    expect(again.body).toEqual({ ...first.body, idempotent_replay: true })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  })
})

describe('test and live', () => {
  test('the service learns which side a credential is on: keys are bound, a login reads both and pays live', async () => {
    const seen = async (method: string, path: string, token: string, rpc: string, body?: object) => {
      expect((await call(running.url, method, path, { token, body })).status).toBeLessThan(300)
      return lastAsked(rpc).caller.isTest
    }
    const login = await vault.login()
    const topup = { amount_minor: 600_000 }
    expect([
      await seen('GET', '/v1/me/wallet', vault.key(), 'getWallet'),
      await seen('GET', '/v1/me/wallet', live(), 'getWallet'),
      await seen('GET', '/v1/me/wallet', login, 'getWallet'),
      await seen('POST', TOPUP, vault.key(), 'createTopupIntent', topup),
      await seen('POST', TOPUP, login, 'createTopupIntent', topup),
    ]).toEqual([true, false, null, true, false])
  })

  test('a login that says it means the sandbox is told to be live where only live money moves', async () => {
    const headers = { 'x-service-environment': 'test' }
    const sent = { token: await vault.login(), body: { amount_minor: 600_000 }, headers }
    await call(running.url, 'POST', TOPUP, sent)
    expect(lastAsked('createTopupIntent').caller.isTest).toBe(true)
    upstream.answers.set(
      'createTopupIntent',
      new ServiceError('forbidden', { details: { reason: 'live_mode_required' } }),
    )
    const refused = await call(running.url, 'POST', TOPUP, sent)
    expect([refused.status, refused.body.details]).toEqual([403, { reason: 'live_mode_required' }])
  })

  test('the sandbox balance is set by test credentials alone', async () => {
    const put = (token: string) => call(running.url, 'PUT', '/v1/test/wallet', { token, body: { balance_minor: 0 } })
    const refused = await put(live())
    expect([refused.status, refused.body.error]).toEqual([403, 'test_mode_required'])
    expect(effectsOf(upstream)).toEqual([])
    expect((await put(await vault.login())).status).toBe(200)
    expect(lastAsked('setTestWallet').caller.isTest).toBe(true)
  })
})

describe('a withdrawal', () => {
  const request = () =>
    call(running.url, 'POST', '/v1/me/withdrawals/request', { token: live(), body: { amount_minor: 250_000 } })

  test('that the wallet cannot bear tells what is needed and what there is, at the top level too', async () => {
    const details = { required_minor: 250_000, balance_minor: 10 }
    upstream.answers.set('requestWithdrawal', new ServiceError('wallet_insufficient', { details }))
    const { status, body } = await request()
    expect([status, body]).toEqual([
      402,
      expect.objectContaining({ error: 'wallet_insufficient', details, ...details }),
    ])
  })

  test('that was requested before is told from the first by a header', async () => {
    upstream.answers.set('requestWithdrawal', { withdrawal, replayed: true })
    const { status, headers } = await request()
    expect([status, headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  })

  test('shows operators alone how many of them approved it', async () => {
    const token = await vault.operator()
    const own = await call(running.url, 'GET', '/v1/me/withdrawals', { token: live() })
    const all = await call(running.url, 'GET', `/v1/admin/withdrawals?owner_type=rider&owner_id=${id}`, { token })
    expect(own.body.withdrawal_requests[0]).not.toHaveProperty('approvals')
    expect(own.body).toMatchObject({ min_amount_minor: 100_000, total: 1 })
    expect(all.body).toMatchObject({ items: [{ approvals: 1 }], four_eyes_above_minor: 5_000_000, total: 1 })
    expect(lastAsked('listWithdrawals').request).toMatchObject({ owner_type: 'rider', owner_id: id })
  })

  test('reaches a default instrument that can be chosen, never unchosen', async () => {
    const path = `/v1/riders/me/payout-instruments/${id}`
    for (const [body, field] of [
      [{ is_default: false }, 'is_default'],
      [{ is_default: true, account_number: '0123456789' }, 'account_number'],
    ] as const) {
      const answer = await call(running.url, 'PATCH', path, { token: await vault.rider(), body })
      expect([answer.status, answer.body.details.field]).toEqual([400, field])
    }
    expect(effectsOf(upstream)).toEqual([])
  })
})

describe("a rider's account", () => {
  const read = async () => call(running.url, 'GET', '/v1/auth/rider/me', { token: await vault.rider() })

  test('shows what the rider has, and goes without it while the wallet service fails', async () => {
    const { body } = await read()
    expect(body.riderWallet).toEqual({ balanceMinor: 900_000, updatedAt: expect.any(String) })
    upstream.answers.set('getRiderWallet', new ServiceError('service_unavailable'))
    const without = await read()
    expect([without.status, Object.keys(without.body)]).toEqual([200, ['rider', 'merchant']])
  })
})

describe('billing', () => {
  test('says whether compliance holds the merchant, and null where no subscription is managed', async () => {
    const read = async () => (await call(running.url, 'GET', '/v1/me/billing', { token: live() })).body
    upstream.answers.set('getAccount', { merchant: { ...merchant, billing_period_end: undefined } })
    upstream.answers.set('getBilling', { ...moneyReplies.getBilling, subscription_manage_url: undefined })
    expect(await read()).toEqual({
      merchant_tier: 'pay_as_you_go',
      billing_status: 'active',
      billing_period_end: null,
      billing_enforcement_enabled: true,
      billing_compliance_hold: false,
      billing_entitlements_note: expect.any(String),
      subscription_manage_url: null,
    })
    upstream.answers.set('getAccount', { merchant: { ...merchant, billing_status: 'compliance_hold' } })
    expect((await read()).billing_compliance_hold).toBe(true)
  })

  test('allowance and overage can be set and taken away by operators', async () => {
    const token = await vault.operator()
    const body = { billing_included_allowance: 250, billing_overage_fee_minor: null }
    const path = `/v1/admin/merchants/${id}`
    expect((await call(running.url, 'PATCH', path, { token, body })).status).toBe(200)
    expect(lastAsked('updateMerchant').request).toMatchObject({
      billing_included_allowance: 250,
      billing_overage_fee_minor: undefined,
      clear_fields: ['billing_overage_fee_minor'],
    })
  })
})

describe('commission settings', () => {
  const path = `/v1/admin/merchants/${id}/commission`

  test("show null where the operator's value holds, and what holds", async () => {
    const { settings, effective } = moneyReplies.getCommissionSettings
    const own = { rules: settings.rules, trigger_statuses: settings.trigger_statuses }
    upstream.answers.set('getCommissionSettings', { settings: own, effective })
    const { body } = await call(running.url, 'GET', path, { token: await vault.operator() })
    expect(body).toMatchObject({ automation: null, merchant_debit: null, trigger_statuses: ['delivered'] })
    expect(body.rules).toEqual([{ amount_minor: 7_000, vehicle_type: 'van', source: 'api' }])
    expect(body.effective).toMatchObject({ automation: true, default_commission_minor: 5_000 })
  })

  test('are replaced whole: what is null or absent is no longer the merchant’s own', async () => {
    const body = { automation: false, trigger_statuses: null, rules: [{ amount_minor: 1, source: null }] }
    await call(running.url, 'PUT', path, { token: await vault.operator(), body })
    const { settings } = lastAsked('replaceCommissionSettings').request as { settings: Record<string, unknown> }
    expect(settings).toMatchObject({ automation: false, rules: [{ amount_minor: 1 }] })
    expect([settings['trigger_statuses'], settings['merchant_debit']]).toEqual([undefined, undefined])
  })
})

describe('a channel', () => {
  test('takes a secret, gives none back, and forgets it when told null', async () => {
    const put = (body: object) => call(running.url, 'PUT', '/v1/me/ingestion/payments-a', { token: live(), body })
    const answer = await put({ secret: 'a secret of the merchant' })
    expect([answer.status, answer.text.includes('a secret of the merchant')]).toEqual([200, false])
    expect(lastAsked('putChannelSettings').request).toMatchObject({
      secret: 'a secret of the merchant',
      clear_fields: [],
    })
    await put({ secret: null })
    expect(lastAsked('putChannelSettings').request).toMatchObject({ secret: undefined, clear_fields: ['secret'] })
    expect((await put({ secret: 'short' })).body.details?.field).toBe('secret')
  })

  test('that nobody knows is none', async () => {
    const answer = await call(running.url, 'GET', '/v1/me/ingestion/payments-z', { token: live() })
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found'])
  })
})
