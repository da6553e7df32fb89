import { randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@svc/exact-json'
import fc from 'fast-check'
import { normalizePaymentsA, paidOrderIn } from './paid-order.ts'

const delivery_address = '14 Adeola Odeku Street, Lagos'
const customer = { first_name: 'Ada', last_name: 'Okafor', phone: '08031234567' }

const charge = (data: JsonObject = {}, event = 'charge.success') => ({
  event,
  data: {
    reference: 'shop-1',
    status: 'success',
    domain: 'live',
    amount: 2_110_150,
    currency: 'NGN',
    paid_at: '2026-01-15T10:00:00.000Z',
    customer,
    metadata: { delivery_address },
    ...data,
  },
})

const order = (data: JsonObject = {}) => {
  const said = normalizePaymentsA(charge(data))
  if (said.outcome !== 'order') throw new Error(JSON.stringify(said))
  return said
}

const field = (variable_name: string, value: unknown) => ({ display_name: variable_name, variable_name, value })

describe('a payment whose checkout has told of a delivery', () => {
  test('is a paid order under its reference', () => {
    expect(order()).toEqual({
      outcome: 'order',
      externalOrderId: 'shop-1',
      isTest: false,
      toldAt: new Date('2026-01-15T10:00:00.000Z'),
      paymentVerified: true,
      order: {
        dropoff_address: delivery_address,
        customer_phone: '+2348031234567',
        customer_name: 'Ada Okafor',
        notes: 'Paid: 21101.50 NGN (shop-1)',
      },
    })
  })

  test.each<[string, unknown]>([
    ['an object', { delivery_address }],
    ['the JSON text of one', JSON.stringify({ delivery_address })],
    ['the list that people are shown', { custom_fields: [field('delivery_address', delivery_address)] }],
    ['that list in JSON text', JSON.stringify({ custom_fields: [field('delivery_address', delivery_address)] })],
    ['names as people spell them', { custom_fields: [field('Delivery Address', delivery_address)] }],
    [
      'both, of which what the shop has written plainly counts',
      { delivery_address, custom_fields: [field('delivery_address', 'elsewhere')] },
    ],
  ])('may tell of it by %s', (_what, metadata) => {
    expect(order({ metadata }).order.dropoff_address).toBe(delivery_address)
  })

  test('takes the items and the recipient of the checkout before the payer', () => {
    const custom_fields = [
      field('delivery_address', delivery_address),
      field('recipient_phone', '08099999999'),
      field('recipient_name', 'Bola'),
      field('cart_items', '2 jollof trays, 3 chapman'),
    ]
    expect(order({ metadata: { custom_fields } }).order).toMatchObject({
      customer_phone: '+2348099999999',
      customer_name: 'Bola',
      notes: 'Items: 2 jollof trays, 3 chapman\nPaid: 21101.50 NGN (shop-1)',
    })
  })

  test('has a phone where the payer has one in the form of the world alone', () => {
    const abroad = { ...customer, phone: '', international_format_phone: '+233201234567' }
    expect(order({ customer: abroad }).order.customer_phone).toBe('+233201234567')
  })

  test.each([
    [7, '0.07'],
    [100, '1.00'],
    [2_110_150, '21101.50'],
  ])('of %d hundredths was paid as %s', (amount, written) => {
    expect(order({ amount }).order.notes).toBe(`Paid: ${written} NGN (shop-1)`)
  })

  test('of the test mode is a test order', () => {
    expect(order({ domain: 'test' }).isTest).toBe(true)
  })

  test.each<[string, string, JsonObject]>([
    ['an address', 'missing_address', { metadata: { cart_items: '3 bananas' } }],
    ['a phone', 'missing_phone', { customer: { phone: null } }],
    ['a reference', 'missing_reference', { reference: null }],
    ['an amount', 'unreadable_amount', { amount: '12.50' }],
    ['a currency', 'unreadable_amount', { currency: null }],
  ])('without %s is a dead letter: %s', (_what, reason, data) => {
    expect(normalizePaymentsA(charge(data))).toMatchObject({ outcome: 'dead_letter', reason })
  })
})

describe('a payment of nothing to deliver', () => {
  test.each<[string, unknown]>([
    ['0', 0],
    ['an empty text', ''],
    ['null', null],
    ['a text that is no object', '[1]'],
    ['a list', [{ delivery_address }]],
    ['a phone alone', { phone: '08031234567' }],
    ['fields of nothing that we know', { custom_fields: [field('Invoice ID', 209), 7, null] }],
  ])('is ignored: metadata is %s', (_what, metadata) => {
    expect(normalizePaymentsA(charge({ metadata }))).toEqual({ outcome: 'ignored', reason: 'event_not_used' })
  })

  test('nor is another event one, or a payment that has not succeeded', () => {
    for (const body of [charge({}, 'refund.processed'), charge({ status: 'failed' })])
      expect(normalizePaymentsA(body).outcome).toBe('ignored')
  })
})

describe('whose order it is', () => {
  const [merchantId, other] = [randomUUID(), randomUUID()]
  const ownerOf = (data: JsonObject, pathMerchantId: string | null, signer = 'platform') =>
    paidOrderIn({ signer, pathMerchantId, body: Buffer.from(JSON.stringify(charge(data))) })
  const named = { metadata: { delivery_address, merchant_id: merchantId.toUpperCase() } }
  const its = { merchantId, externalOrderId: 'shop-1' }

  test('of the platform’s account the merchant that the checkout names, if its address does not name another', () => {
    expect(ownerOf(named, null)).toEqual(its)
    expect(ownerOf(named, merchantId)).toEqual(its)
    expect(ownerOf(named, other)).toEqual({ refused: 'tenant_mismatch' })
    const payer = { customer: { ...customer, metadata: JSON.stringify({ merchant_id: merchantId }) } }
    expect(ownerOf(payer, null)).toEqual(its)
  })

  test('of the platform’s account nobody whom the checkout does not name, whatever the address says', () => {
    expect(ownerOf({}, merchantId)).toBeNull()
    expect(ownerOf({}, null)).toBeNull()
  })

  test('of a merchant’s own account that merchant, whomever the checkout names', () => {
    expect(ownerOf({}, merchantId, merchantId)).toEqual(its)
    expect(ownerOf({ metadata: { delivery_address, merchant_id: other } }, merchantId, merchantId)).toEqual(its)
  })
})

test('any JSON object is an order, is ignored or is a dead letter with its reason', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('success', 'charge.success', 100, delivery_address, '+2348031234567'),
  )
  const names = fc.constantFrom(
    'event',
    'data',
    'reference',
    'status',
    'metadata',
    'amount',
    'currency',
    'customer',
    'delivery_address',
    'custom_fields',
    'phone',
  )
  const within = fc.dictionary(names, fc.oneof(value, fc.dictionary(names, value)))
  fc.assert(
    fc.property(within, within, (data, body) => {
      for (const one of [body, { ...charge(), data }, charge(data)]) {
        const said = normalizePaymentsA(one as JsonObject)
        if (said.outcome === 'order') expect(said.order.dropoff_address.length).toBeGreaterThanOrEqual(3)
        else expect((said as { reason: string }).reason).toMatch(/^[a-z_]+$/)
        paidOrderIn({ signer: 'platform', pathMerchantId: null, body: Buffer.from(JSON.stringify(one)) })
      }
    }),
  )
})
