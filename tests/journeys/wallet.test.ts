import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, type Receiver, receiver, sharedMesh } from '@svc/testing'
import pg from 'pg'
import { violations } from '../../services/wallet/test/ledger-violations.ts'
import { codeSentTo, joinFleet, newPhone, offerOf, openRateCard, openZone, placed, type TestRider } from './fleet.ts'
import { Api, orderBody, type Reply, type SignedUp, signUp } from './merchant.ts'
import { endTransfer, PATIENTLY, pay, topUp } from './money.ts'

const system = sharedMesh('journeys')
let target: Receiver
let anyone: Api
let operator: Api
let merchant: SignedUp
let live: Api
let rider: TestRider
let wallet: pg.Pool

const COMMISSION_MINOR = 5_000

const seen = ({ status, body }: Reply) => [status, body]
const balanceOf = async (api: Api, path = '/v1/me/wallet') => (await api.get(path)).body.wallet

beforeAll(async () => {
  target = await receiver()
  anyone = new Api(system.baseUrl)
  const minted = await anyone.post('/v1/admin/auth/token', { token: system.adminStaticToken })
  operator = anyone.bearing(minted.body.access_token)
  wallet = new pg.Pool({ connectionString: system.databaseUrls['wallet']?.worker, max: 2 })
  wallet.on('error', () => {})
  merchant = await signUp(system.baseUrl)
  await operator.patch(`/v1/admin/merchants/${merchant.merchantId}`, {
    kyb_status: 'verified',
    business_approval_status: 'approved',
  })
  const key = await merchant.owner.post('/v1/me/api-keys', { label: 'live' })
  live = anyone.bearing(key.body.api_key)
  expect((await live.patch('/v1/me/outbound-webhook', { url: target.url, enabled: true })).status).toBe(200)
  await openZone(operator, merchant.merchantId)
  await openRateCard(operator, merchant.merchantId)
})

afterAll(async () => {
  await wallet?.end()
  await target?.close()
})

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await wallet.query<Row>(text, values)).rows

describe('without money nothing is delivered', () => {
  test('an order is refused with what it costs and what there is, and stored nowhere', async () => {
    const body = placed()
    const refused = await live.post('/v1/orders', body)
    expect(seen(refused)).toMatchObject([
      402,
      {
        error: 'insufficient_wallet_for_freelancer_order',
        balance_minor: 0,
        details: { balance_minor: 0, required_minor: refused.body.required_minor },
      },
    ])
    expect(refused.body.required_minor).toBeGreaterThan(0)
    const unpriced = await live.post('/v1/orders', orderBody())
    expect(seen(unpriced)).toMatchObject([402, { required_minor: 50_000, balance_minor: 0 }])
    const list = await live.get('/v1/orders')
    expect(list.body.total).toBe(0)
  })

  test('a quote says so before', async () => {
    const { standardized } = placed()
    const { pickup_lat, pickup_lng, dropoff_lat, dropoff_lng } = standardized as Record<string, unknown>
    const quote = await live.post('/v1/me/pricing/quote', { pickup_lat, pickup_lng, dropoff_lat, dropoff_lng })
    expect(quote.body.wallet).toEqual({ balance_minor: 0, required_minor: quote.body.fee_minor, sufficient: false })
  })
})

describe('money comes in', () => {
  test('a paid checkout credits the wallet once, however often the provider tells', async () => {
    const reference = await topUp(system, live, 1_000_000)
    await pay(system, reference, { times: 3 })
    const { body } = await live.get('/v1/me/wallet')
    expect(body.wallet).toMatchObject({ balance_minor: 1_000_000, available_minor: 1_000_000, held_minor: 0 })
    expect(body.ledger_transactions).toMatchObject([
      { entry_type: 'topup', direction: 'credit', amount_minor: 1_000_000, balance_after_minor: 1_000_000, reference },
    ])
  })

  test('a payment whose hook was lost is found at the provider', async () => {
    const intent = await live.post('/v1/me/wallet/payments-a-topup-intent', { amount_minor: 600_000 })
    await pay(system, intent.body.reference, { hook: false })
    await eventually(async () => (await balanceOf(live)).balance_minor === 1_600_000, PATIENTLY)
  })

  test('a payment of another amount credits nothing and is put aside for an operator', async () => {
    const intent = await live.post('/v1/me/wallet/payments-a-topup-intent', { amount_minor: 700_000 })
    await pay(system, intent.body.reference, { amount: 600_000 })
    const row = await eventually(async () => {
      const { body } = await operator.get('/v1/admin/ingestion-dlq')
      return body.items.find((item: { error: string }) => item.error === 'amount_mismatch') ?? false
    }, PATIENTLY)
    expect(row).toMatchObject({ channel: 'payments-a' })
    expect((await balanceOf(live)).balance_minor).toBe(1_600_000)
  })

  test('the same key starts the same checkout, another amount under it is refused', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const path = '/v1/me/wallet/payments-a-topup-intent'
    const first = await live.post(path, { amount_minor: 600_000 }, headers)
    const again = await live.post(path, { amount_minor: 600_000 }, headers)
    expect(again.body).toEqual({ ...first.body, idempotent_replay: true })
    const other = await live.post(path, { amount_minor: 650_000 }, headers)
    expect(seen(other)).toMatchObject([409, { error: 'idempotency_conflict' }])
  })

  test.each([
    ['less than the least', 599_999],
    ['a text', '600000'],
    ['a fraction', 600_000.5],
    ['a negative amount', -600_000],
    ['more than an exact integer', 2 ** 53],
  ])('%s is no amount of a top-up', async (_name, amount_minor) => {
    const refused = await live.post('/v1/me/wallet/payments-a-topup-intent', { amount_minor })
    expect(seen(refused)).toMatchObject([400, { error: 'validation_error' }])
    const keyed = await merchant.test.post('/v1/me/wallet/payments-a-topup-intent', { amount_minor: 600_000 })
    expect(seen(keyed)).toMatchObject([403, { error: 'forbidden', details: { reason: 'live_mode_required' } }])
  })

  test('hooks that nobody signed, or signed wrongly, are all refused alike', async () => {
    const control = new Api(system.providersUrl)
    for (const sign of ['bad', 'none']) {
      const { body } = await control.post('/__control/emit', {
        provider: 'payments-a',
        body: { event: 'charge.success', data: { reference: 'x', amount: 1 } },
        sign,
      })
      expect(body.deliveries.map(({ status }: { status: number }) => status)).toEqual([401])
    }
    expect((await balanceOf(live)).balance_minor).toBe(1_600_000)
  })
})

describe('an order pays its rider', () => {
  let orderId: string

  test('the offer names what the rider earns; delivered by code the rider has it and the merchant has not', async () => {
    rider = await joinFleet({ system, anyone, operator, live }, 'Bola Paid', 0.002)
    const customer_phone = newPhone()
    const created = await live.post('/v1/orders', placed({}, { customer_phone }))
    expect(created.status).toBe(201)
    orderId = created.body.order.id
    // What a rider would earn is asked of the wallet while the offer is out already.
    const offer = await eventually(async () => {
      const seen = await offerOf(rider, orderId)
      return seen.payout_minor !== null && seen
    }, PATIENTLY)
    expect(offer).toMatchObject({ payout_minor: COMMISSION_MINOR, currency: 'NGN' })
    expect((await rider.api.post(`/v1/riders/me/dispatch-offers/${offer.id}/accept`)).status).toBe(200)
    const picked = await rider.api.post(`/v1/riders/me/orders/${orderId}/status`, { status: 'picked_up' })
    expect(picked.status).toBe(200)
    expect((await rider.api.post(`/v1/riders/me/orders/${orderId}/pod-otp/request`)).status).toBe(200)
    const code = await codeSentTo(system, customer_phone)
    const verified = await rider.api.post(`/v1/riders/me/orders/${orderId}/pod-otp/verify`, { code })
    expect([verified.status, verified.body.order?.unified_json.status]).toEqual([200, 'delivered'])

    const { body: ledger } = await rider.api.get('/v1/riders/me/ledger')
    expect(ledger).toMatchObject({
      wallet: { balance_minor: COMMISSION_MINOR },
      ledger_transactions: [{ entry_type: 'commission_credit', amount_minor: COMMISSION_MINOR, order_id: orderId }],
      total: 1,
    })
    expect(await balanceOf(live)).toMatchObject({ available_minor: 1_600_000 - COMMISSION_MINOR })
    const me = await rider.api.get('/v1/auth/rider/me')
    expect(me.body.riderWallet).toMatchObject({ balanceMinor: COMMISSION_MINOR })
  })

  test('leaving delivered and entering it again pays nobody twice', async () => {
    for (const status of ['in_transit', 'delivered', 'returned', 'delivered']) {
      const patched = await live.patch(`/v1/orders/${orderId}`, { status })
      expect([patched.status, patched.body.order?.unified_json.status]).toEqual([200, status])
    }
    expect(await balanceOf(rider.api, '/v1/riders/me/ledger')).toMatchObject({ balance_minor: COMMISSION_MINOR })
  })

  test('what the wallet cannot bear leaves the order as it was, until there is money', async () => {
    const created = await live.post('/v1/orders', placed({}, { delivery_commission_minor: 3_000_000 }))
    const id = created.body.order.id
    await live.post(`/v1/orders/${id}/rider-assignment`, { rider_id: rider.id })
    const refused = await live.patch(`/v1/orders/${id}`, { status: 'delivered' })
    expect(seen(refused)).toMatchObject([409, { error: 'insufficient_merchant_wallet' }])
    expect((await live.get(`/v1/orders/${id}`)).body.order.unified_json.status).not.toBe('delivered')
    await topUp(system, live, 2_000_000)
    const parallel = await Promise.all(
      Array.from({ length: 10 }, () => live.patch(`/v1/orders/${id}`, { status: 'delivered' })),
    )
    expect(parallel.map(({ status }) => status)).toEqual(parallel.map(() => 200))
    expect(await balanceOf(rider.api, '/v1/riders/me/ledger')).toMatchObject({
      balance_minor: COMMISSION_MINOR + 3_000_000,
    })
  })

  test('where payment must be verified the commission waits in escrow until it is', async () => {
    const path = `/v1/admin/merchants/${merchant.merchantId}/commission`
    const put = await operator.send('PUT', path, { require_payment_verified: true, rules: [] })
    expect(seen(put)).toMatchObject([200, { effective: { require_payment_verified: true } }])
    const created = await live.post('/v1/orders', placed())
    const id = created.body.order.id
    await live.post(`/v1/orders/${id}/rider-assignment`, { rider_id: rider.id })
    expect((await live.patch(`/v1/orders/${id}`, { status: 'delivered' })).status).toBe(200)
    expect(await balanceOf(live)).toMatchObject({ held_minor: COMMISSION_MINOR })
    const held = await live.get(`/v1/me/escrow-ledger?order_id=${id}`)
    // Newest first: what was held for the rider from the assignment on is given back, then taken, at one moment.
    expect(held.body.items).toMatchObject([
      { order_id: id, entry_type: 'commission_hold', amount_minor: COMMISSION_MINOR, rider_id: rider.id },
      { entry_type: 'commission_released', amount_minor: COMMISSION_MINOR, rider_id: null },
      { entry_type: 'commission_hold', amount_minor: COMMISSION_MINOR, rider_id: rider.id },
    ])
    expect((await live.patch(`/v1/orders/${id}`, { payment_verified: true })).status).toBe(200)
    await eventually(async () => (await balanceOf(live)).held_minor === 0, PATIENTLY)
    const released = await live.get(`/v1/me/escrow-ledger?order_id=${id}&entry_type=commission_released`)
    expect(released.body.items[0]).toMatchObject({ entry_type: 'commission_released', rider_id: rider.id })
    await operator.send('PUT', path, { require_payment_verified: null, rules: [] })
  })

  test('every event of the first order arrived once, in a gapless sequence', async () => {
    const ofOrder = () =>
      target.requests
        .map(({ body }) => JSON.parse(body.toString()))
        .filter(({ order }) => order?.id === orderId)
        .toSorted((a, b) => a.sequence - b.sequence)
    await eventually(() => ofOrder().length >= 13)
    expect(ofOrder().map(({ sequence }) => sequence)).toEqual(ofOrder().map((_event, index) => index + 1))
    expect(ofOrder().map(({ event }) => event)).toEqual([
      'order.created',
      'order.rider_assigned',
      'order.accepted',
      'order.picked_up',
      'order.status_updated',
      'order.delivered',
      'order.status_updated',
      'order.status_updated',
      'order.delivered',
      'order.status_updated',
      'order.status_updated',
      'order.delivered',
      'order.status_updated',
    ])
  })
})

describe('money goes out', () => {
  test('a rider withdraws: reserved, approved, paid; the reserve is gone for good', async () => {
    const none = await rider.api.post('/v1/riders/me/withdrawals/request', { amount_minor: 1_000_000 })
    expect(seen(none)).toMatchObject([409, { error: 'payout_instrument_required' }])
    // What all are paid to one bank account within a day counts towards the limit above which two operators approve.
    const account = `01${randomInt(1e7, 1e8)}`
    const instrument = await rider.api.post('/v1/riders/me/payout-instruments', {
      bank_code: '058',
      account_number: account,
    })
    expect([instrument.status, instrument.body.account_last4]).toEqual([201, account.slice(-4)])
    expect(JSON.stringify(instrument.body)).not.toContain(account)

    const requested = await rider.api.post('/v1/riders/me/withdrawals/request', { amount_minor: 1_000_000 })
    expect(seen(requested)).toMatchObject([
      201,
      { withdrawal: { status: 'pending_review', account_last4: account.slice(-4) } },
    ])
    const { id } = requested.body.withdrawal
    expect(await balanceOf(rider.api, '/v1/riders/me/ledger')).toMatchObject({ held_minor: 1_000_000 })
    const approved = await operator.post(`/v1/admin/withdrawals/${id}/approve`)
    expect(seen(approved)).toMatchObject([200, { withdrawal: { status: 'approved' } }])
    await endTransfer(system, `wd_${id}`, 'success')
    const paid = await eventually(async () => {
      const { body } = await rider.api.get('/v1/riders/me/withdrawals')
      const row = body.withdrawal_requests.find((item: { id: string }) => item.id === id)
      return row.status === 'paid' ? row : false
    }, PATIENTLY)
    expect(paid).toMatchObject({ provider_reference: `wd_${id}`, paid_at: expect.any(String) })
    expect(await balanceOf(rider.api, '/v1/riders/me/ledger')).toMatchObject({ held_minor: 0 })
  })

  test('a transfer that fails gives the money back, and an operator may try again', async () => {
    const requested = await rider.api.post('/v1/riders/me/withdrawals/request', { amount_minor: 500_000 })
    const { id } = requested.body.withdrawal
    const before = await balanceOf(rider.api, '/v1/riders/me/ledger')
    const approved = await operator.post(`/v1/admin/withdrawals/${id}/approve`)
    expect(seen(approved)).toMatchObject([200, { withdrawal: { status: 'approved' } }])
    await endTransfer(system, `wd_${id}`, 'failed')
    await eventually(async () => {
      const { available_minor } = await balanceOf(rider.api, '/v1/riders/me/ledger')
      return available_minor === before.available_minor + 500_000
    }, PATIENTLY)
    const retried = await operator.post(`/v1/admin/withdrawals/${id}/retry`)
    expect(retried.status).toBe(200)
    await endTransfer(system, `wd_${id}_2`, 'success')
    await eventually(async () => {
      const { body } = await rider.api.get('/v1/riders/me/withdrawals')
      return body.withdrawal_requests.find((item: { id: string }) => item.id === id).status === 'paid'
    }, PATIENTLY)
  })

  test('a merchant withdraws above the four-eyes limit only by two operators', async () => {
    await topUp(system, live, 9_000_000)
    const instrument = await live.post('/v1/me/payout-instruments', { bank_code: '058', account_number: '0123456780' })
    expect(instrument.status).toBe(201)
    const requested = await live.post('/v1/me/withdrawals/request', { amount_minor: 5_000_001 })
    expect(seen(requested)).toMatchObject([201, { withdrawal: { owner_type: 'merchant' } }])
    const path = `/v1/admin/withdrawals/${requested.body.withdrawal.id}/approve`
    const first = await operator.post(path)
    expect(seen(first)).toMatchObject([200, { withdrawal: { status: 'pending_review', approvals: 1 } }])
    expect(seen(await operator.post(path))).toMatchObject([409, { error: 'second_approver_required' }])
    const cancelled = await live.post(`/v1/me/withdrawals/${requested.body.withdrawal.id}/cancel`)
    expect(seen(cancelled)).toMatchObject([200, { withdrawal: { status: 'cancelled' } }])
    expect(await balanceOf(live)).toMatchObject({ held_minor: 0 })
  })
})

describe('the platform is paid for', () => {
  test('what was delivered in this cycle is counted, each order once', async () => {
    const usage = await eventually(async () => {
      const { body } = await live.get('/v1/me/billing-usage')
      return body.deliveries_used === 3 ? body : false
    }, PATIENTLY)
    expect(usage).toMatchObject({ included_allowance: null, usage_percent: null, over_allowance: false })
  })

  test('a plan that is subscribed to makes the account active', async () => {
    const plans = await live.get('/v1/me/billing/payments-a-plans')
    expect(plans.status).toBe(200)
    const [plan] = plans.body.items
    const keys = ['amount_minor', 'currency', 'description', 'interval', 'name', 'plan_code']
    expect(Object.keys(plan).toSorted()).toEqual(keys)
    const intent = await live.post('/v1/me/billing/payments-a-subscription-intent', { plan_code: plan.plan_code })
    expect(intent.status).toBe(201)
    await pay(system, intent.body.reference, {})
    const billing = await eventually(async () => {
      const { body } = await merchant.owner.get('/v1/me/billing')
      return body.subscription_manage_url ? body : false
    }, PATIENTLY)
    expect(billing).toMatchObject({
      billing_status: 'active',
      billing_enforcement_enabled: true,
      billing_compliance_hold: false,
    })
  })

  test('an account on hold places no orders, and still reads, cancels and pays in', async () => {
    const path = `/v1/admin/merchants/${merchant.merchantId}`
    expect((await operator.patch(path, { billing_status: 'compliance_hold' })).status).toBe(200)
    await eventually(async () => (await live.post('/v1/orders', placed())).body.error === 'billing_blocked', {
      intervalMs: 500,
    })
    expect((await live.get('/v1/me/wallet')).status).toBe(200)
    const paying = await live.post('/v1/me/wallet/payments-a-topup-intent', { amount_minor: 600_000 })
    expect(paying.status).toBe(201)
    const billing = await merchant.owner.get('/v1/me/billing')
    expect(billing.body).toMatchObject({ billing_status: 'compliance_hold', billing_compliance_hold: true })
    await operator.patch(path, { billing_status: 'active' })
  })
})

describe('the sandbox', () => {
  test('has a wallet of its own, which a test key sets, so that a 402 can be rehearsed', async () => {
    const set = await merchant.test.send('PUT', '/v1/test/wallet', { balance_minor: 10 })
    expect(seen(set)).toMatchObject([200, { wallet: { balance_minor: 10 } }])
    const refused = await merchant.test.post('/v1/orders', placed())
    expect(seen(refused)).toMatchObject([402, { balance_minor: 10 }])
    expect((await merchant.test.post('/v1/orders', orderBody())).status).toBe(201)
    const wall = await live.send('PUT', '/v1/test/wallet', { balance_minor: 10 })
    expect(seen(wall)).toMatchObject([403, { error: 'test_mode_required' }])
  })
})

describe('the books', () => {
  test('balance: every operation, every account, and all lines together', async () => {
    expect(await violations(sql)).toEqual({})
    const ledger = await operator.get(`/v1/admin/merchants/${merchant.merchantId}/ledger`)
    expect(ledger.body).toMatchObject({ merchant_id: merchant.merchantId, wallet: { currency: 'NGN' } })
    const own = await live.get('/v1/me/wallet')
    expect(ledger.body.wallet.available_minor).toBe(own.body.wallet.available_minor)
  })
})
