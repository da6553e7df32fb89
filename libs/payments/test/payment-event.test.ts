import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { publishedBodies } from '@svc/testing/published-bodies'
import { dedupeKeyOf, parsePaymentEvent, signHook } from '../src/index.ts'

const hook = (event: string, data: unknown): Buffer => Buffer.from(JSON.stringify({ event, data }))
const parse = (event: string, data: unknown) => parsePaymentEvent(hook(event, data))

const charge = {
  id: 4099260516,
  domain: 'test',
  status: 'success',
  reference: 'topup_1',
  amount: 600_000,
  currency: 'NGN',
  gateway_response: 'Approved',
  created_at: '2026-09-30T21:09:56.000Z',
  metadata: { merchant_id: 'm1' },
  authorization: { authorization_code: 'AUTH_1', reusable: true },
  customer: { customer_code: 'CUS_1' },
  plan: {},
}

test('a payment tells its reference, amount, payer and metadata', () => {
  expect(parse('charge.success', charge)).toEqual({
    event: 'charge.success',
    domain: 'test',
    reference: 'topup_1',
    status: 'success',
    amountMinor: 600_000,
    currency: 'NGN',
    metadata: { merchant_id: 'm1' },
    planCode: null,
    customerCode: 'CUS_1',
    subscriptionCode: null,
    nextPaymentAt: null,
    isPaid: null,
    createdAt: new Date('2026-09-30T21:09:56.000Z'),
    reason: null,
  })
})

test.each([
  ['zero', 0, {}],
  ['an empty text', '', {}],
  ['null', null, {}],
  ['a text that is no JSON', 'hello', {}],
  ['a list', [1], {}],
  ['an object', { merchant_id: 'm1' }, { merchant_id: 'm1' }],
  ['the JSON text of an object', '{"merchant_id":"m1"}', { merchant_id: 'm1' }],
  ['the JSON text of a list', '[1]', {}],
])('metadata that is %s can be read', (_shape, metadata, read) => {
  expect(parse('charge.success', { ...charge, metadata })!.metadata).toEqual(read)
})

test.each([
  ['an object', { plan_code: 'PLN_1' }, 'PLN_1'],
  ['an empty object', {}, null],
  ['a code', 'PLN_1', 'PLN_1'],
  ['null', null, null],
])('a plan that is %s can be read', (_shape, plan, planCode) => {
  expect(parse('charge.success', { ...charge, plan })!.planCode).toBe(planCode)
})

test.each([
  [600_000, 600_000],
  ['600000', 600_000],
  ['9007199254740993', null],
  [2 ** 53, null],
  [-5, null],
  [1.5, null],
  ['1e3', null],
  [' 5', null],
  [null, null],
])('the amount %j is read as %j', (amount, amountMinor) => {
  expect(parse('charge.success', { ...charge, amount })!.amountMinor).toBe(amountMinor)
})

test('a subscription is found beside the event and within the invoice', () => {
  const next_payment_date = '2026-12-20T00:00:00.000Z'
  const expected = { subscriptionCode: 'SUB_1', nextPaymentAt: new Date(next_payment_date) }
  expect(parse('subscription.create', { subscription_code: 'SUB_1', next_payment_date })).toMatchObject(expected)
  const invoice = { paid: true, subscription: { subscription_code: 'SUB_1', next_payment_date } }
  expect(parse('invoice.update', { ...invoice, transaction: { reference: 'pay_1' } })).toMatchObject({
    ...expected,
    isPaid: true,
    reference: 'pay_1',
  })
})

test('a transfer tells when it was made, under whichever name', () => {
  for (const name of ['created_at', 'createdAt'])
    expect(parse('transfer.failed', { reference: 'wd_1', [name]: '2026-01-01T00:00:00Z' })).toMatchObject({
      createdAt: new Date('2026-01-01T00:00:00Z'),
    })
})

describe('a body that means harm', () => {
  const nested = (depth: number) => `{"event":"charge.success","data":${'['.repeat(depth)}${']'.repeat(depth)}}`

  test.each([
    ['empty', ''],
    ['null', 'null'],
    ['a list', '[{"event":"charge.success"}]'],
    ['a text', '"charge.success"'],
    ['cut off', '{"event":"charge.succ'],
    ['without an event', '{"data":{}}'],
    ['with an event that is no text', '{"event":{"a":1}}'],
    ['with an endless event', JSON.stringify({ event: 'x'.repeat(300) })],
    ['with a NUL in its event', String.raw`{"event":"charge\u0000"}`],
    ['a little too deep', nested(64)],
    ['bottomless', nested(100_000)],
  ])('that is %s tells of nothing and still has a key', (_what, body) => {
    expect(parsePaymentEvent(Buffer.from(body))).toBeNull()
    expect(dedupeKeyOf(Buffer.from(body)).length).toBeLessThanOrEqual(255)
  })

  test('as deep as honest ones get is read', () => {
    expect(parsePaymentEvent(Buffer.from(nested(63)))).toMatchObject({ event: 'charge.success' })
  })

  test('brackets within a text are no depth', () => {
    const event = parse('charge.success', { ...charge, gateway_response: `"${'[{\\'.repeat(60)}` })
    expect(event).toMatchObject({ reference: 'topup_1' })
  })

  test('that is no UTF-8 tells of nothing', () => {
    expect(parsePaymentEvent(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).toBeNull()
  })

  test('cannot reach a prototype, from its own keys or from metadata in a text', () => {
    const body = (metadata: string) =>
      Buffer.from(`{"event":"charge.success","__proto__":{"a":1},"data":{"metadata":${metadata}}}`)
    for (const metadata of ['{"__proto__":{"merchant_id":"m1"}}', String.raw`"{\"__proto__\":{\"merchant_id\":1}}"`]) {
      const read = parsePaymentEvent(body(metadata))!.metadata
      expect(read['merchant_id']).toBeUndefined()
      expect(Object.keys(read)).toEqual([])
    }
    expect(({} as Record<string, unknown>)['merchant_id']).toBeUndefined()
  })

  test('with a NUL or an endless text brings neither to the database', () => {
    const event = parse('charge.success', {
      ...charge,
      reference: 'topup\0_1',
      status: 'x'.repeat(300),
      metadata: { merchant_id: 'm\0', 'a\0': 1, ok: 'yes' },
    })!
    expect(event).toMatchObject({ reference: null, status: null })
    expect(event.metadata).toEqual({ merchant_id: null, ok: 'yes' })
  })

  test.each([null, 7, 'text', []])('whose data is %j is an event without anything in it', (data) => {
    expect(parse('charge.success', data)).toMatchObject({ event: 'charge.success', reference: null, amountMinor: null })
  })
})

describe('the key by which deliveries of one event are known', () => {
  test.each([
    ['charge.success', charge, 'charge.success:topup_1:success'],
    ['transfer.reversed', { reference: 'wd_1', status: 'reversed', id: 7 }, 'transfer.reversed:wd_1:reversed'],
    ['invoice.update', { invoice_code: 'INV_1', status: 'success' }, 'invoice.update:INV_1:success'],
    ['subscription.create', { subscription_code: 'SUB_1', status: 'active' }, 'subscription.create:SUB_1:active'],
    ['charge.dispute.create', { id: 358950, status: 'pending' }, 'charge.dispute.create:358950:pending'],
    ['refund.processed', { refund_reference: 'r1', transaction_reference: 't1' }, 'refund.processed:r1'],
  ])('of %s names what it is about', (event, data, key) => {
    expect(dedupeKeyOf(hook(event, data))).toBe(key)
  })

  test('does not change with the spelling of the same event', () => {
    const spelt = Buffer.from(JSON.stringify({ data: { ...charge, paid_at: null }, event: 'charge.success' }, null, 2))
    expect(dedupeKeyOf(spelt)).toBe(dedupeKeyOf(hook('charge.success', charge)))
  })

  test.each([
    ['a list', [{ customer: { customer_code: 'CUS_1' } }]],
    ['about a customer, who may have several', { customer_code: 'CUS_1', reason: 'BVN is incorrect' }],
    ['nameless', {}],
    ['named endlessly', { reference: 'x'.repeat(300) }],
    ['named by a number that has lost digits', { id: 2 ** 53 }],
  ])('is the digest of the bytes where data is %s', (_what, data) => {
    const body = hook('subscription.expiring_cards', data)
    expect(dedupeKeyOf(body)).toBe(`sha256:${createHash('sha256').update(body).digest('hex')}`)
  })
})

const { arePresent, files: published, signed, read } = publishedBodies('payments-a')

;(arePresent ? describe : describe.skip)('the published bodies', () => {
  const files = published.filter((name) => name.endsWith('.json'))

  test('are all read, each under a key of its own event', () => {
    expect(files.length).toBeGreaterThan(20)
    for (const file of files) {
      const body = read(file)
      const { event } = JSON.parse(body.toString()) as { event: string }
      expect([file, parsePaymentEvent(body)?.event]).toEqual([file, event])
      expect(dedupeKeyOf(body)).toMatch(event === undefined ? /^sha256:/ : /^(sha256:[0-9a-f]{64}|[a-z._]+:.+)$/)
    }
  })

  test.each([
    ['charge.success.card.json', { reference: 'qTPrJoy9Bx', amountMinor: 10_000, domain: 'live', metadata: {} }],
    ['charge.success.subscription-plan.json', { planCode: 'PLN_a5vr5skxg72f4lr', customerCode: 'CUS_mfkew13owtwcmb2' }],
    ['charge.success.wallet-topup.metadata-string.derived.json', { metadata: { purpose: 'wallet_topup' } }],
    ['transfer.success.withdrawal.derived.json', { reference: 'wd_7c9e6679-7425-40de-944b-e07fc1f90ae7' }],
    ['refund.processed.json', { amountMinor: 5_000 }],
    ['invoice.payment_failed.json', { isPaid: false, subscriptionCode: 'SUB_f7ct8g01mtcjf78' }],
    ['subscription.not_renew.json', { status: 'non-renewing', nextPaymentAt: null }],
    ['subscription.expiring_cards.json', { customerCode: null, subscriptionCode: null }],
    [
      'customeridentification.failed.json',
      { customerCode: 'CUS_XXXXXXXXXXXXXXX', reason: 'Account number or BVN is incorrect' },
    ],
  ])('%s tells what it is known to tell', (file, expected) => {
    expect(parsePaymentEvent(read(`payments-a/${file}`))).toMatchObject(expected)
  })

  test('are signed as the vectors say', () => {
    expect(signed.length).toBeGreaterThan(20)
    for (const { file, secret, headers } of signed) {
      const signature = signHook(secret, read(file))
      expect([file, signature]).toEqual([file, headers['x-payments-a-signature']])
    }
  })
})
