import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Receiver, type Reply, receiver } from '@svc/testing'
import { PaymentRefusedError, PaymentRepeatedError, type Payments, paymentsClient } from '../src/index.ts'

const SECRET_KEY = 'sk_test_the_key'

let provider: Receiver
let payments: Payments

/** A client that waits for an answer no longer than this; a busy machine never reaches ten seconds. */
const client = (timeoutMs = 10_000): Payments =>
  paymentsClient({ baseUrl: `${provider.url}/payments-a`, secretKey: SECRET_KEY, timeoutMs })

const ok = (data: unknown, rest: object = {}): Reply => ({
  body: JSON.stringify({ status: true, message: 'done', data, ...rest }),
})
const refusal = (status: number, message: string, code?: string): Reply => ({
  status,
  body: JSON.stringify({ status: false, message, ...(code && { code }) }),
})

beforeEach(async () => {
  provider = await receiver()
  payments = client()
})
afterEach(async () => {
  await payments.close()
  await provider.close()
})

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as Error & { code?: string },
  )

const transfer = { reference: 'wd_1', recipientCode: 'RCP_1', amountMinor: 250_000, currency: 'NGN', reason: 'Payout' }
const transferData = { reference: 'wd_1', status: 'pending', amount: 250_000, currency: 'NGN', recipient: 56824902 }
const chargeData = { reference: 'topup_1', status: 'success', amount: 600_000, currency: 'NGN', plan: null }

const READS: ReadonlyArray<[string, () => Promise<unknown>]> = [
  ['verifyTransaction', () => payments.verifyTransaction('topup_1')],
  ['verifyTransfer', () => payments.verifyTransfer('wd_1')],
  ['listPlans', () => payments.listPlans()],
  ['findCustomer', () => payments.findCustomer('CUS_1')],
  ['subscriptionManageUrl', () => payments.subscriptionManageUrl('SUB_1')],
  ['resolveAccount', () => payments.resolveAccount({ accountNumber: '0022728151', bankCode: '058' })],
]
const WRITES: ReadonlyArray<[string, () => Promise<unknown>]> = [
  [
    'initializeTransaction',
    () => payments.initializeTransaction({ reference: 't', email: 'a@b.test', amountMinor: 1, currency: 'NGN' }),
  ],
  ['createSubscription', () => payments.createSubscription({ customerCode: 'CUS_1', planCode: 'PLN_1' })],
  [
    'createRecipient',
    () => payments.createRecipient({ name: 'Ada', accountNumber: '0022728151', bankCode: '058', currency: 'NGN' }),
  ],
  ['initiateTransfer', () => payments.initiateTransfer(transfer)],
]

describe('what goes to the provider', () => {
  test('a payment carries our reference, the amount in the subunit and our key', async () => {
    provider.respond(() => ok({ authorization_url: 'https://pay.test/x1', access_code: 'x1', reference: 'topup_1' }))
    const checkout = await payments.initializeTransaction({
      reference: 'topup_1',
      email: 'ada@shop.test',
      amountMinor: 600_000,
      currency: 'NGN',
      callbackUrl: 'https://app.test/back',
      planCode: 'PLN_1',
      metadata: { merchant_id: 'm1' },
    })
    expect(checkout).toEqual({ authorizationUrl: 'https://pay.test/x1', accessCode: 'x1' })
    expect(provider.requests[0]).toMatchObject({
      method: 'POST',
      path: '/payments-a/transaction/initialize',
      headers: { authorization: `Bearer ${SECRET_KEY}`, 'content-type': 'application/json' },
    })
    expect(provider.requests[0]!.json()).toEqual({
      reference: 'topup_1',
      email: 'ada@shop.test',
      amount: 600_000,
      currency: 'NGN',
      callback_url: 'https://app.test/back',
      plan: 'PLN_1',
      metadata: { merchant_id: 'm1' },
    })
  })

  test('a transfer is taken from the balance under our reference', async () => {
    provider.respond(() => ok(transferData))
    expect(await payments.initiateTransfer(transfer)).toEqual({
      reference: 'wd_1',
      status: 'pending',
      amountMinor: 250_000,
      currency: 'NGN',
    })
    expect(provider.requests[0]!.json()).toEqual({
      source: 'balance',
      reference: 'wd_1',
      recipient: 'RCP_1',
      amount: 250_000,
      currency: 'NGN',
      reason: 'Payout',
    })
  })

  test('a recipient is a bank account, and its code comes back with the bank by name', async () => {
    provider.respond(() => ({
      ...ok({ recipient_code: 'RCP_9', details: { account_name: 'ADA OBI', bank_name: 'Zenith Bank' } }),
      status: 201,
    }))
    const account = { name: 'Ada Obi', accountNumber: '0022728151', bankCode: '057', currency: 'NGN' }
    expect(await payments.createRecipient(account)).toEqual({
      recipientCode: 'RCP_9',
      bankName: 'Zenith Bank',
    })
    expect(provider.requests[0]!.json()).toEqual({
      type: 'nuban',
      name: 'Ada Obi',
      account_number: '0022728151',
      bank_code: '057',
      currency: 'NGN',
    })
  })

  test('names in paths and queries cannot reach another endpoint', async () => {
    provider.respond(() => refusal(404, 'Transfer not found'))
    expect(await payments.verifyTransfer('../balance?x=1')).toBeNull()
    provider.respond(() => ok({ account_name: 'ADA OBI' }))
    await payments.resolveAccount({ accountNumber: '1&bank_code=2', bankCode: '058' })
    expect(provider.requests.map(({ path }) => path)).toEqual([
      '/payments-a/transfer/verify/..%2Fbalance%3Fx%3D1',
      '/payments-a/bank/resolve?account_number=1%26bank_code%3D2&bank_code=058',
    ])
  })

  test.each([
    ['sk_live_1', 'live'],
    ['sk_test_1', 'test'],
    ['sk_local_1', null],
  ])('the key %s tells the mode %s', async (secretKey, mode) => {
    const client = paymentsClient({ baseUrl: provider.url, secretKey })
    expect(client.mode).toBe(mode)
    await client.close()
  })
})

describe('what the provider says of a payment', () => {
  test.each([
    ['as numbers', 600_000, 600_000],
    ['as digits', '600000', 600_000],
    ['up to the last exact one', 9_007_199_254_740_991, Number.MAX_SAFE_INTEGER],
  ])('amounts are read %s', async (_how, amount, amountMinor) => {
    provider.respond(() => ok({ ...chargeData, amount }))
    expect(await payments.verifyTransaction('topup_1')).toMatchObject({ status: 'success', amountMinor })
  })

  test.each([['6e3'], ['600000.5'], [600_000.5], [-1], ['-1'], ['9007199254740993'], [null], [''], [true]])(
    'the amount %j is no amount, so nothing is known',
    async (amount) => {
      provider.respond(() => ok({ ...chargeData, amount }))
      expect(await errorOf(payments.verifyTransaction('topup_1'))).toMatchObject({ code: 'service_unavailable' })
    },
  )

  test.each([
    ['a code', 'PLN_1', 'PLN_1'],
    ['an object', { plan_code: 'PLN_1' }, 'PLN_1'],
    ['an empty object', {}, null],
    ['an empty text', '', null],
    ['null', null, null],
  ])('its plan may be %s', async (_shape, plan, planCode) => {
    provider.respond(() => ok({ ...chargeData, plan }))
    expect(await payments.verifyTransaction('topup_1')).toMatchObject({ planCode })
  })

  test.each([
    ['a card', { authorization_code: 'AUTH_1', reusable: true }],
    ['an empty card, before it is paid', {}],
  ])('it tells its payer where it has %s', async (_kind, authorization) => {
    provider.respond(() => ok({ ...chargeData, authorization, customer: { customer_code: 'CUS_1' } }))
    expect(await payments.verifyTransaction('topup_1')).toMatchObject({ customerCode: 'CUS_1' })
  })

  test('a customer comes with the cards that may be charged again', async () => {
    provider.respond(() =>
      ok({
        customer_code: 'CUS_1',
        email: 'ada@shop.test',
        authorizations: [
          { authorization_code: 'AUTH_1', reusable: true },
          { authorization_code: 'AUTH_2', reusable: false },
        ],
      }),
    )
    expect(await payments.findCustomer('CUS_1')).toEqual({
      customerCode: 'CUS_1',
      email: 'ada@shop.test',
      authorizations: [
        { authorizationCode: 'AUTH_1', isReusable: true },
        { authorizationCode: 'AUTH_2', isReusable: false },
      ],
    })
  })
})

describe('an unknown reference', () => {
  test.each([
    ['verifyTransaction', refusal(400, 'Transaction reference not found.', 'transaction_not_found')],
    ['verifyTransaction', refusal(404, 'Transaction reference not found')],
    ['verifyTransfer', refusal(404, 'Transfer not found')],
    ['verifyTransfer', refusal(400, 'No such', 'transfer_not_found')],
  ] as const)('%s: the provider knows no such thing, in its own words', async (method, reply) => {
    provider.respond(() => reply)
    expect(await payments[method]('ref_1')).toBeNull()
  })

  test.each([
    ['a 404 of somebody else', { status: 404, body: '<h1>Not Found</h1>' }],
    ['a 404 in JSON without a verdict', { status: 404, body: '{"message":"not found"}' }],
    ['our key refused', refusal(401, 'Invalid key')],
    ['no answer', { drop: true }],
    ['an empty answer', { body: '' }],
    ['a success without a status', ok({ reference: 'wd_1', amount: 1, currency: 'NGN' })],
    ['a success that denies itself', { body: JSON.stringify({ status: false, data: transferData }) }],
    ['a redirection', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
  ] as ReadonlyArray<[string, Reply]>)('%s is never taken for one', async (_what, reply) => {
    provider.respond(() => reply)
    expect(await errorOf(payments.verifyTransfer('wd_1'))).toMatchObject({ code: 'service_unavailable' })
    expect(await errorOf(payments.verifyTransaction('wd_1'))).toMatchObject({ code: 'service_unavailable' })
  })

  test('another refusal of a look-up is no word about the payment', async () => {
    provider.respond(() => refusal(400, 'Invalid reference'))
    expect(await errorOf(payments.verifyTransfer('wd_1'))).toBeInstanceOf(PaymentRefusedError)
  })
})

describe('a refusal', () => {
  test.each(WRITES)('%s that is refused in the words of the provider happened not', async (_method, call) => {
    provider.respond(() => refusal(400, 'Recipient specified is invalid', 'invalid_transfer_recipient'))
    expect(await errorOf(call())).toMatchObject({
      name: 'PaymentRefusedError',
      status: 400,
      code: 'invalid_transfer_recipient',
      message: 'Recipient specified is invalid',
    })
  })

  test.each([
    refusal(400, 'Please provide a unique reference. Reference already exists on a transfer'),
    refusal(404, 'Please provide a unique reference.', 'duplicate_transfer_reference'),
    refusal(400, 'Duplicate Transaction Reference'),
    refusal(400, 'This subscription is already in place.', 'duplicate_subscription'),
  ])('of a second attempt ($body) tells that the first took effect', async (reply) => {
    provider.respond(() => reply)
    for (const [, call] of WRITES) expect(await errorOf(call())).toBeInstanceOf(PaymentRepeatedError)
  })

  test('a subscription without a saved card is refused', async () => {
    provider.respond(() => refusal(404, 'The customer specified has no saved authorizations'))
    const call = payments.createSubscription({ customerCode: 'CUS_1', planCode: 'PLN_1' })
    expect(await errorOf(call)).toMatchObject({ name: 'PaymentRefusedError', status: 404 })
  })

  test.each([400, 404, 422])('an account that no bank knows is no failure (%i)', async (status) => {
    provider.respond(() => refusal(status, 'Could not resolve account name. Check parameters or try again.'))
    expect(await payments.resolveAccount({ accountNumber: '0000000000', bankCode: '058' })).toBeNull()
  })
})

describe('where nothing is known', () => {
  const silences: ReadonlyArray<[string, Reply]> = [
    ['a lost connection', { drop: true }],
    ['408', refusal(408, 'Timeout')],
    ['429', refusal(429, 'Slow down')],
    ['500', refusal(500, 'Sorry')],
    ['503 in HTML', { status: 503, body: '<h1>Unavailable</h1>' }],
    ['403', refusal(403, 'Forbidden')],
    ['a 400 that is not the provider speaking', { status: 400, body: 'Bad Request' }],
    ['a 200 that cannot be read', { body: '{"status":true,"da' }],
    ['a 200 without an end', { body: Buffer.alloc(5_000_000, 0x20) }],
  ]
  test.each(silences)('%s leaves a payout open, and sends it once', async (_what, reply) => {
    provider.respond(() => reply)
    expect(await errorOf(payments.initiateTransfer(transfer))).toMatchObject({ code: 'service_unavailable' })
    expect(provider.requests).toHaveLength(1)
  })

  test('no answer in time leaves a payout open, and sends it once', async () => {
    const hasty = client(1_000)
    try {
      provider.respond(() => new Promise(() => {}))
      const answer = errorOf(hasty.initiateTransfer(transfer))
      await provider.waitFor((request) => request.path.endsWith('/transfer'))
      expect(await answer).toMatchObject({ code: 'service_unavailable' })
      expect(provider.requests).toHaveLength(1)
    } finally {
      await hasty.close()
    }
  })

  test.each(WRITES)('%s is never repeated by the client', async (_method, call) => {
    provider.respond(() => ({ drop: true }))
    expect(await errorOf(call())).toMatchObject({ code: 'service_unavailable' })
    expect(provider.requests).toHaveLength(1)
  })

  test.each(READS)('%s is asked once more, and not a third time', async (_method, call) => {
    provider.respond(() => ({ drop: true }))
    expect(await errorOf(call())).toMatchObject({ code: 'service_unavailable' })
    expect(provider.requests).toHaveLength(2)
  })

  test('the second answer to a look-up counts', async () => {
    provider.respond((_request, index) => (index === 0 ? { status: 502 } : ok(transferData)))
    expect(await payments.verifyTransfer('wd_1')).toMatchObject({ status: 'pending' })
  })

  test('a refusal of a look-up is not asked for again', async () => {
    provider.respond(() => refusal(404, 'Transfer not found'))
    await payments.verifyTransfer('wd_1')
    expect(provider.requests).toHaveLength(1)
  })

  test('no error names the key, not even where the provider does', async () => {
    for (const reply of [refusal(400, `Bad key ${SECRET_KEY}`), refusal(500, SECRET_KEY), { drop: true }]) {
      provider.respond(() => reply)
      const error = await errorOf(payments.initiateTransfer(transfer))
      expect(`${error!.stack} ${JSON.stringify(error)} ${String(error!.cause)}`).not.toContain('the_key')
    }
  })
})

describe('plans', () => {
  const plan = (number: number, rest: object = {}) => ({
    plan_code: `PLN_${number}`,
    name: `Plan ${number}`,
    description: null,
    amount: '50000',
    interval: 'monthly',
    currency: 'NGN',
    subscriptions: [{ email_token: 'secret', authorization: { authorization_code: 'AUTH_x', last4: '4081' } }],
    ...rest,
  })
  const page = (plans: object[], pageCount?: number): Reply => ok(plans, pageCount ? { meta: { pageCount } } : {})

  test('come from every page', async () => {
    provider.respond((_request, index) => page([plan(index)], 3))
    expect((await payments.listPlans()).map(({ planCode }) => planCode)).toEqual(['PLN_0', 'PLN_1', 'PLN_2'])
    expect(provider.requests.map(({ path }) => path)).toEqual(
      [1, 2, 3].map((number) => `/payments-a/plan?perPage=50&page=${number}`),
    )
  })

  test('end with the first page that is not full where no page count is given', async () => {
    provider.respond((_request, index) => page(Array.from({ length: index === 0 ? 50 : 2 }, (_, at) => plan(at))))
    expect(await payments.listPlans()).toHaveLength(52)
  })

  test('carry nothing of other customers, and none that is no longer on offer', async () => {
    provider.respond(() => page([plan(1), plan(2, { is_archived: true }), plan(3, { is_deleted: true })], 1))
    expect(await payments.listPlans()).toEqual([
      {
        planCode: 'PLN_1',
        name: 'Plan 1',
        description: null,
        amountMinor: 50_000,
        interval: 'monthly',
        currency: 'NGN',
      },
    ])
  })
})
