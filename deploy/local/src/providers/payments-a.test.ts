import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  type PaymentEvent,
  PaymentRefusedError,
  PaymentRepeatedError,
  type Payments,
  parsePaymentEvent,
  paymentsClient,
  signHook,
} from '@svc/payments'
import { eventually, type Receiver, receiver } from '@svc/testing'
import { createProviders, type Providers } from './server.ts'

const SECRET_KEY = 'sk_test_rehearsal'

let platform: Receiver
let providers: Providers
let payments: Payments

const start = async (): Promise<void> => {
  providers = createProviders({ platformUrl: platform.url, paymentsSecretKey: SECRET_KEY })
  await providers.start()
  payments = paymentsClient({
    baseUrl: `${providers.url()}/payments-a`,
    secretKey: SECRET_KEY,
    timeoutMs: 60_000,
  })
}
const stop = async (): Promise<void> => {
  await payments.close()
  await providers.stop()
}

beforeEach(async () => {
  platform = await receiver()
  await start()
})
afterEach(async () => {
  await stop()
  await platform.close()
})

const control = async (path: string, body: unknown = {}): Promise<any> => {
  const answer = await fetch(`${providers.url()}/__control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { httpStatus: answer.status, ...((await answer.json()) as object) }
}

const ask = (path: string, options: { key?: string; body?: unknown } = {}): Promise<Response> =>
  fetch(`${providers.url()}/payments-a${path}`, {
    headers: {
      authorization: options.key ?? `Bearer ${SECRET_KEY}`,
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(options.body !== undefined && { method: 'POST', body: JSON.stringify(options.body) }),
  })

const jsonOf = async (answer: Promise<Response>): Promise<any> => (await answer).json()

/** What the platform was told, in order. */
const events = (): PaymentEvent[] => platform.requests.map(({ body }) => parsePaymentEvent(body)!)

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as Error & { code?: string },
  )

const topup = {
  reference: 'topup_1',
  email: 'ada@shop.test',
  amountMinor: 600_000,
  currency: 'NGN',
  metadata: { merchant_id: 'm1' },
}
const account = { name: 'Ada Obi', accountNumber: '0022728151', bankCode: '058', currency: 'NGN' }

const newTransfer = async () => {
  const { recipientCode } = await payments.createRecipient(account)
  return { reference: 'wd_1', recipientCode, amountMinor: 250_000, currency: 'NGN', reason: 'Payout' }
}

const planCode = async (): Promise<string> => (await payments.listPlans())[0]!.planCode

describe('a payment', () => {
  test('is open until somebody pays, and then verifies as paid', async () => {
    expect(await payments.verifyTransaction('topup_1')).toBeNull()
    await payments.initializeTransaction(topup)
    expect(await payments.verifyTransaction('topup_1')).toMatchObject({ status: 'abandoned', amountMinor: 600_000 })
    expect(await control('charges/topup_1', { outcome: 'success' })).toMatchObject({
      httpStatus: 200,
      status: 'success',
      deliveries: [{ status: 200 }],
    })
    expect(await payments.verifyTransaction('topup_1')).toMatchObject({
      status: 'success',
      amountMinor: 600_000,
      currency: 'NGN',
    })
  })

  test('is announced to the platform, signed over its bytes, with what was sent along', async () => {
    await payments.initializeTransaction(topup)
    await control('charges/topup_1', { outcome: 'success', times: 3 })
    expect(platform.requests).toHaveLength(3)
    for (const { path, headers, body } of platform.requests) {
      expect(path).toBe('/webhooks/payments-a/platform')
      expect(headers['x-payments-a-signature']).toBe(signHook(SECRET_KEY, body))
    }
    expect(new Set(platform.requests.map(({ body }) => body.toString())).size).toBe(1)
    expect(events()[0]).toMatchObject({
      event: 'charge.success',
      domain: 'test',
      reference: 'topup_1',
      amountMinor: 600_000,
      metadata: { merchant_id: 'm1' },
      planCode: null,
    })
  })

  test('may be of another amount or currency than was asked for', async () => {
    await payments.initializeTransaction(topup)
    await control('charges/topup_1', { outcome: 'success', amount: 100, currency: 'GHS' })
    expect(events()[0]).toMatchObject({ amountMinor: 100, currency: 'GHS' })
    expect(await payments.verifyTransaction('topup_1')).toMatchObject({ amountMinor: 100, currency: 'GHS' })
  })

  test('can be kept from the platform, which may look it up', async () => {
    await payments.initializeTransaction(topup)
    expect(await control('charges/topup_1', { outcome: 'success', hook: false })).toMatchObject({ deliveries: [] })
    expect(platform.requests).toEqual([])
    expect(await payments.verifyTransaction('topup_1')).toMatchObject({ status: 'success' })
  })

  test('can fail, be abandoned, and still be paid', async () => {
    await payments.initializeTransaction(topup)
    await control('charges/topup_1', { outcome: 'failed' })
    expect(await payments.verifyTransaction('topup_1')).toMatchObject({ status: 'failed' })
    await control('charges/topup_1', { outcome: 'abandoned' })
    await control('charges/topup_1', { outcome: 'success' })
    expect(events().map(({ event }) => event)).toEqual(['charge.failed', 'charge.success'])
  })

  test('that nobody began cannot be paid', async () => {
    expect((await control('charges/nope', { outcome: 'success' })).httpStatus).toBe(404)
    expect((await control('charges/nope', { outcome: 'reversed' })).httpStatus).toBe(400)
  })

  test('takes its reference for good', async () => {
    await payments.initializeTransaction(topup)
    expect(await errorOf(payments.initializeTransaction({ ...topup, amountMinor: 1 }))).toBeInstanceOf(
      PaymentRepeatedError,
    )
    expect(await payments.verifyTransaction('topup_1')).toMatchObject({ amountMinor: 600_000 })
  })

  test.each([
    ['address', { email: 'ada' }],
    ['amount', { amountMinor: 0 }],
    ['reference', { reference: 'a b' }],
    ['plan', { planCode: 'PLN_none' }],
    ['callback', { callbackUrl: 'javascript:alert(1)' }],
  ])('with an impossible %s is refused', async (_what, part) => {
    expect(await errorOf(payments.initializeTransaction({ ...topup, ...part }))).toBeInstanceOf(PaymentRefusedError)
  })

  test('is announced although nobody listens, and the order says so', async () => {
    await payments.initializeTransaction(topup)
    await platform.close()
    expect(await control('charges/topup_1', { outcome: 'success' })).toMatchObject({ deliveries: [{ status: 0 }] })
    platform = await receiver()
  })
})

describe('the checkout page', () => {
  const press = (url: string, button: string): Promise<Response> =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ outcome: button }), redirect: 'manual' })
  const begin = async (): Promise<string> =>
    (await payments.initializeTransaction({ ...topup, callbackUrl: 'https://app.test/back?tab=wallet' }))
      .authorizationUrl

  test('lets the payer pay, and sends them back with the reference', async () => {
    const url = await begin()
    expect(await (await fetch(url)).text()).toMatch(/NGN 6000\.00[^]*value="pay"/)
    const answer = await press(url, 'pay')
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      'https://app.test/back?tab=wallet&trxref=topup_1&reference=topup_1',
    ])
    expect(events()).toMatchObject([{ event: 'charge.success', reference: 'topup_1' }])
    expect(await (await fetch(url)).text()).not.toContain('value="pay"')
  })

  test('takes the money once, however often the button is pressed', async () => {
    const url = await begin()
    await press(url, 'pay')
    await press(url, 'pay')
    await press(url, 'fail')
    expect(events().map(({ event }) => event)).toEqual(['charge.success'])
    expect(await payments.verifyTransaction('topup_1')).toMatchObject({ status: 'success' })
  })

  test('lets the payer fail or leave', async () => {
    const url = await begin()
    await press(url, 'fail')
    expect(await payments.verifyTransaction('topup_1')).toMatchObject({ status: 'failed' })
    await press(url, 'abandon')
    expect(await payments.verifyTransaction('topup_1')).toMatchObject({ status: 'abandoned' })
    expect((await press(url, 'rob')).status).toBe(400)
    expect((await press(`${providers.url()}/payments-a/checkout/none`, 'pay')).status).toBe(404)
  })
})

describe('plans and subscriptions', () => {
  test('plans come page by page, with what a careless client would give away', async () => {
    const first = await jsonOf(ask('/plan?perPage=2&page=1'))
    expect(first.meta).toEqual({ total: 5, skipped: 0, perPage: 2, page: 1, pageCount: 3 })
    expect(first.data[0].subscriptions[0].authorization).toMatchObject({ last4: '4081' })
    const plans = await payments.listPlans()
    expect(plans).toHaveLength(4)
    expect(JSON.stringify(plans)).not.toMatch(/secret|AUTH_|SUB_|4081/)
  })

  test('a payment for a plan makes a subscription and tells of both', async () => {
    const plan = (await payments.listPlans())[1]!
    await payments.initializeTransaction({ ...topup, planCode: plan.planCode })
    await control('charges/topup_1', { outcome: 'success' })
    const [paid, created, invoice] = events()
    expect(paid).toMatchObject({ event: 'charge.success', planCode: plan.planCode, amountMinor: plan.amountMinor })
    expect(created).toMatchObject({
      event: 'subscription.create',
      status: 'active',
      planCode: plan.planCode,
      customerCode: paid!.customerCode,
      subscriptionCode: expect.stringMatching(/^SUB_/),
    })
    expect(created!.nextPaymentAt!.getTime()).toBeGreaterThan(Date.now() + 27 * 86_400_000)
    expect(invoice).toMatchObject({
      event: 'invoice.update',
      isPaid: true,
      reference: 'topup_1',
      subscriptionCode: created!.subscriptionCode,
      nextPaymentAt: created!.nextPaymentAt,
    })
  })

  test('whoever has paid can be subscribed without a page, once, and can end it', async () => {
    await payments.initializeTransaction(topup)
    await control('charges/topup_1', { outcome: 'success' })
    const { customerCode } = (await payments.verifyTransaction('topup_1'))!
    const customer = (await payments.findCustomer(customerCode!))!
    expect(customer).toMatchObject({ email: topup.email, authorizations: [{ isReusable: true }] })

    const asked = { customerCode: customer.customerCode, planCode: await planCode() }
    const { subscriptionCode, status } = await payments.createSubscription({
      ...asked,
      authorizationCode: customer.authorizations[0]!.authorizationCode,
    })
    expect(status).toBe('active')
    await eventually(() => events().length === 4)
    expect(events().map(({ event }) => event)).toEqual([
      'charge.success',
      'charge.success',
      'subscription.create',
      'invoice.update',
    ])
    expect(await errorOf(payments.createSubscription(asked))).toBeInstanceOf(PaymentRepeatedError)
    expect(await payments.subscriptionManageUrl(subscriptionCode)).toContain(subscriptionCode)

    const { email_token: token } = (await jsonOf(ask(`/subscription/${subscriptionCode}`))).data
    expect((await ask('/subscription/disable', { body: { code: subscriptionCode, token: 'x' } })).status).toBe(404)
    expect((await ask('/subscription/disable', { body: { code: subscriptionCode, token } })).status).toBe(200)
    await eventually(() => events().at(-1)!.event === 'subscription.not_renew')
    expect(events().at(-1)).toMatchObject({ subscriptionCode, status: 'non-renewing', nextPaymentAt: null })
  })

  test('whoever has never paid cannot be subscribed', async () => {
    const { data } = await jsonOf(ask('/customer', { body: { email: 'new@shop.test', first_name: 'New' } }))
    const asked = { customerCode: data.customer_code, planCode: await planCode() }
    expect(await errorOf(payments.createSubscription(asked))).toMatchObject({
      name: 'PaymentRefusedError',
      status: 404,
    })
    expect(await payments.findCustomer('CUS_nobody')).toBeNull()
  })

  test('a saved card can be charged, and one of somebody else cannot', async () => {
    await payments.initializeTransaction(topup)
    await control('charges/topup_1', { outcome: 'success', hook: false })
    const { customerCode } = (await payments.verifyTransaction('topup_1'))!
    const authorization_code = (await payments.findCustomer(customerCode!))!.authorizations[0]!.authorizationCode
    const charge = { email: topup.email, amount: '20000', authorization_code, reference: 'again_1' }
    const stolen = await ask('/transaction/charge_authorization', { body: { ...charge, email: 'eve@shop.test' } })
    expect(stolen.status).toBe(400)
    expect((await jsonOf(ask('/transaction/charge_authorization', { body: charge }))).data).toMatchObject({
      status: 'success',
      amount: 20_000,
    })
    await platform.waitFor(({ body }) => parsePaymentEvent(body)?.reference === 'again_1')
  })
})

describe('a transfer', () => {
  test('stays pending until it is told otherwise, whatever comes after what', async () => {
    const transfer = await newTransfer()
    expect(await payments.verifyTransfer('wd_1')).toBeNull()
    expect(await payments.initiateTransfer(transfer)).toMatchObject({ reference: 'wd_1', status: 'pending' })
    for (const outcome of ['success', 'failed', 'reversed']) {
      await control('transfers/wd_1', { outcome })
      expect(await payments.verifyTransfer('wd_1')).toMatchObject({ status: outcome, amountMinor: 250_000 })
    }
    expect(events()).toMatchObject(
      ['transfer.success', 'transfer.failed', 'transfer.reversed'].map((event) => ({ event, reference: 'wd_1' })),
    )
    expect((await control('transfers/nope', { outcome: 'success' })).httpStatus).toBe(404)
  })

  test('happens once under one reference', async () => {
    const transfer = await newTransfer()
    await payments.initiateTransfer(transfer)
    expect(await errorOf(payments.initiateTransfer({ ...transfer, amountMinor: 1 }))).toBeInstanceOf(
      PaymentRepeatedError,
    )
    expect(await payments.verifyTransfer('wd_1')).toMatchObject({ amountMinor: 250_000 })
  })

  test('of which the answer is lost was made', async () => {
    const transfer = await newTransfer()
    await control('faults', {
      provider: 'payments-a',
      match: { method: 'POST', path: '/transfer' },
      mode: 'reset_after_commit',
    })
    expect(await errorOf(payments.initiateTransfer(transfer))).toMatchObject({ code: 'service_unavailable' })
    expect(await payments.verifyTransfer('wd_1')).toMatchObject({ status: 'pending' })
  })

  test('can be announced before it is answered', async () => {
    const transfer = await newTransfer()
    await control('faults', { provider: 'payments-a', match: { path: '/transfer' }, mode: 'delay', delayMs: 5_000 })
    const answered = payments.initiateTransfer(transfer).then(() => platform.requests.length)
    await eventually(() => payments.verifyTransfer('wd_1'))
    await control('transfers/wd_1', { outcome: 'success' })
    expect(await answered).toBe(1)
  })

  test.each([400, 503])('that is refused with %i by order is refused in the words of the provider', async (status) => {
    const transfer = await newTransfer()
    await control('faults', { provider: 'payments-a', match: { path: '/transfer' }, mode: 'status', status })
    expect((await errorOf(payments.initiateTransfer(transfer)))!.name).toBe(
      status === 400 ? 'PaymentRefusedError' : 'ServiceError',
    )
    expect(await payments.verifyTransfer('wd_1')).toBeNull()
  })

  test.each([
    ['to nobody', { recipientCode: 'RCP_nobody' }, 'invalid_transfer_recipient'],
    ['beyond the balance', { amountMinor: 100_000_000_001 }, 'insufficient_balance'],
  ])('%s is refused', async (_what, part, code) => {
    expect(await errorOf(payments.initiateTransfer({ ...(await newTransfer()), ...part }))).toMatchObject({
      name: 'PaymentRefusedError',
      code,
    })
  })

  test('goes to recipients from before a restart', async () => {
    const transfer = await newTransfer()
    await stop()
    await start()
    expect(await payments.initiateTransfer(transfer)).toMatchObject({ status: 'pending' })
    expect((await newTransfer()).recipientCode).toBe(transfer.recipientCode)
    expect(transfer.recipientCode).not.toContain(account.accountNumber)
  })
})

test('banks know their accounts, and one account nobody knows', async () => {
  expect(await payments.resolveAccount(account)).toBe('ZAINAB BELLO')
  expect(await payments.resolveAccount({ ...account, accountNumber: '0000000000' })).toBeNull()
  expect(await payments.resolveAccount({ ...account, bankCode: '999' })).toBeNull()
  expect(await errorOf(payments.createRecipient({ ...account, accountNumber: '0000000000' }))).toBeInstanceOf(
    PaymentRefusedError,
  )
  expect(await payments.createRecipient(account)).toMatchObject({
    bankName: 'Guaranty Trust Bank',
  })
  expect((await jsonOf(ask('/bank'))).data).toContainEqual(expect.objectContaining({ code: '058' }))
  expect((await jsonOf(ask('/balance'))).data).toEqual([{ currency: 'NGN', balance: 100_000_000_000 }])
})

test.each(['', 'Bearer', 'Bearer pk_test_1', 'Basic sk_test_1'])('nobody gets in with %j', async (key) => {
  const answer = await ask('/balance', { key })
  expect([answer.status, await answer.json()]).toEqual([401, { status: false, message: 'Invalid key' }])
})

describe('a hook that is sent by order', () => {
  const emit = (sign: string) => control('emit', { provider: 'payments-a', body: '{ "event" : "x" }', sign })

  test.each([
    ['good', (body: Buffer) => signHook(SECRET_KEY, body)],
    ['base64', (body: Buffer) => Buffer.from(signHook(SECRET_KEY, body), 'hex').toString('base64')],
    ['none', () => undefined],
  ])('is signed %s', async (sign, signature) => {
    expect((await emit(sign)).deliveries).toEqual([{ status: 200, body: '' }])
    const { headers, body } = platform.requests[0]!
    expect(body.toString()).toBe('{ "event" : "x" }')
    expect(headers['x-payments-a-signature']).toBe(signature(body))
  })

  test.each(['bad', 'stale'])('is signed %s, which does not verify', async (sign) => {
    await emit(sign)
    const { headers, body } = platform.requests[0]!
    expect(headers['x-payments-a-signature']).toMatch(/^[0-9a-f]{128}$/)
    expect(headers['x-payments-a-signature']).not.toBe(signHook(SECRET_KEY, body))
  })

  test('is not sent where nobody knows how to sign it so', async () => {
    expect(await emit('hex')).toMatchObject({ httpStatus: 400, message: expect.stringContaining('base64') })
    expect(platform.requests).toEqual([])
  })
})

test('a reset forgets payments, transfers and customers', async () => {
  await payments.initializeTransaction(topup)
  await payments.initiateTransfer(await newTransfer())
  await control('charges/topup_1', { outcome: 'success' })
  const { customerCode } = (await payments.verifyTransaction('topup_1'))!
  await control('reset')
  expect(await payments.verifyTransaction('topup_1')).toBeNull()
  expect(await payments.verifyTransfer('wd_1')).toBeNull()
  expect(await payments.findCustomer(customerCode!)).toBeNull()
})

test('hooks of a live key are of the live domain', async () => {
  const live = createProviders({ platformUrl: platform.url, paymentsSecretKey: 'sk_live_1' })
  await live.start()
  const client = paymentsClient({ baseUrl: `${live.url()}/payments-a`, secretKey: 'sk_live_1' })
  try {
    const { authorizationUrl } = await client.initializeTransaction(topup)
    await fetch(authorizationUrl, { method: 'POST', body: new URLSearchParams({ outcome: 'pay' }) })
    expect(events()).toMatchObject([{ domain: 'live' }])
  } finally {
    await client.close()
    await live.stop()
  }
})
