import { describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@svc/exact-json'
import fc from 'fast-check'
import { readEvent } from './event.ts'
import { normalizePaymentsB } from './normalize.ts'

const SIGNED = { 'payments-b-signature': 'right' }
const normalize = (body: JsonObject, headers: Record<string, string> = SIGNED) =>
  normalizePaymentsB('payments-b-signature')(body, {
    event: '',
    headers,
    receivedAt: new Date(),
  })

const delivery_address = '1 Broad Street, Lagos'

const third = (data: JsonObject = {}, event = 'charge.completed') => ({
  event,
  data: {
    id: 1,
    tx_ref: 'shop-1',
    amount: 100,
    currency: 'NGN',
    status: 'successful',
    created_at: '2026-01-15T10:00:00.000Z',
    customer: { name: 'Ada Okafor', phone_number: '08031234567' },
    meta: { delivery_address },
    ...data,
  },
})

const fourth = (data: JsonObject = {}, type = 'charge.completed') => ({
  webhook_id: 'wbk_1',
  timestamp: 1748850422635,
  type,
  data: {
    id: 'chg_1',
    reference: 'shop-1',
    amount: 100,
    currency: 'NGN',
    status: 'succeeded',
    created_datetime: '2026-01-15T10:00:00.123456789Z',
    customer: {
      name: { first: 'Ada', middle: null, last: 'Okafor' },
      phone: { country_code: '234', number: '8031234567' },
    },
    meta: { delivery_address },
    ...data,
  },
})

const second = (more: JsonObject = {}) => ({
  id: 1,
  txRef: 'shop-1',
  flwRef: 'ABC',
  amount: 100,
  currency: 'NGN',
  status: 'successful',
  createdAt: '2026-01-15T10:00:00.000Z',
  customer: { fullName: 'Ada Okafor', phone: '08031234567' },
  meta: [{ metaname: 'delivery_address', metavalue: delivery_address }],
  'event.type': 'CARD_TRANSACTION',
  ...more,
})

describe('a payment that has arrived', () => {
  test.each([
    ['the flat generation', second()],
    ['the third', third()],
    ['the fourth', fourth()],
  ])('of %s is the order of its reference, paid', (_what, body) => {
    expect(normalize(body)).toMatchObject({
      outcome: 'order',
      externalOrderId: 'shop-1',
      isTest: false,
      paymentVerified: true,
      order: { dropoff_address: delivery_address, customer_phone: '+2348031234567', customer_name: 'Ada Okafor' },
    })
  })

  test('is an order that is not paid yet where the plain secret alone came with it', () => {
    expect(normalize(third(), {})).toMatchObject({ outcome: 'order', paymentVerified: false })
  })

  test('of the provider’s test mode is a test order', () => {
    expect(normalize(third({ flw_ref: 'FLW-MOCK-1' }))).toMatchObject({ isTest: true })
    expect(normalize(second({ flwRef: 'FLW-MOCK-1' }))).toMatchObject({ isTest: true })
  })

  test.each([
    ['a JSON text', JSON.stringify({ delivery_address })],
    ['names and values', [{ metaname: 'delivery_address', metavalue: delivery_address }]],
    ['an object with an address in parts', { delivery_address: { line1: '1 Broad Street', city: 'Lagos' } }],
  ])('with what the checkout has written as %s goes there', (_what, meta) => {
    expect(normalize(third({ meta }))).toMatchObject({ order: { dropoff_address: delivery_address } })
  })

  test('carries what was bought and what was paid, and goes to whom the checkout names', () => {
    const items = [{ name: 'Jollof', quantity: 2 }, { name: 'Chapman' }, { name: 'No', quantity: 0 }, 'x']
    const meta = {
      delivery_address,
      items,
      recipient_phone: '08021234567',
      recipient_name: 'Bola',
      notes: 'Ring twice',
    }
    expect(normalize(third({ meta, amount: 21101.5 }))).toMatchObject({
      order: {
        items: [
          { name: 'Jollof', quantity: 2 },
          { name: 'Chapman', quantity: 1 },
        ],
        customer_phone: '+2348021234567',
        customer_name: 'Bola',
        notes: 'Ring twice\nPaid: 21101.5 NGN (shop-1)',
      },
    })
  })

  test.each([
    ['no address', third({ meta: null }), 'needs_details', 'standardized.dropoff_address'],
    ['a meta that is no JSON', third({ meta: '{...}' }), 'needs_details', 'standardized.dropoff_address'],
    ['no phone', third({ customer: {} }), 'needs_details', 'standardized.customer_phone'],
    ['no reference', third({ tx_ref: null }), 'missing_reference', 'tx_ref'],
    ['no amount', third({ amount: null }), 'unreadable_amount', 'amount'],
    ['half a minor unit', third({ amount: '1.005' }), 'unreadable_amount', 'amount'],
    ['decimals that its currency has not', third({ amount: 1.5, currency: 'XOF' }), 'unreadable_amount', 'amount'],
    ['no currency', third({ currency: 7 }), 'unreadable_amount', 'amount'],
  ])('and has %s is for a person', (_what, body, reason, field) => {
    expect(normalize(body)).toEqual({ outcome: 'dead_letter', reason, field })
  })
})

describe('amounts', () => {
  test.each([
    ['8.2', 'NGN', 820],
    [8.2, 'NGN', 820],
    [21101.5, 'NGN', 2_110_150],
    ['0.29', 'NGN', 29],
    [1.1, 'USD', 110],
    [2000, 'KES', 200_000],
    [5500, 'UGX', 5_500],
    ['90071992547409.91', 'NGN', 9_007_199_254_740_991],
    ['90071992547409.92', 'NGN', null],
  ])('%s %s are %s minor units, as no double would have them', (amount, currency, minor) => {
    expect(readEvent(third({ amount, currency }))?.amountMinor).toBe(minor)
  })
})

describe('what is no payment that has arrived', () => {
  test.each([
    ['pending', third({ status: 'pending' })],
    ['failed', third({ status: 'failed' })],
    ['a transfer', third({ status: 'SUCCESSFUL' }, 'transfer.completed')],
    ['a flat transfer', { 'event.type': 'Transfer', transfer: { id: 1, status: 'SUCCESSFUL', amount: 1 } }],
    ['a transfer of the fourth', fourth({ status: 'SUCCESSFUL' }, 'transfer.disburse')],
    ['a refund', { id: 1, AmountRefunded: 5, status: 'completed', TransactionId: 2 }],
    ['none of all generations', { hello: 'world' }],
  ])('(%s) is ignored', (_what, body) => {
    expect(normalize(body)).toEqual({ outcome: 'ignored', reason: 'event_not_used' })
  })

  test('is another event once it has succeeded', () => {
    const ids = ['pending', 'successful'].map((status) => readEvent(third({ status }))!.id)
    expect(new Set(ids).size).toBe(2)
    expect(readEvent(third({ amount: 5 }))!.id).toBe(readEvent(third())!.id)
    expect(readEvent(fourth())!.id).toBe('wbk_1')
  })
})

test('any object ends as an order, ignored, or for a person with a reason', () => {
  const some = (base: JsonObject) =>
    fc.dictionary(fc.constantFrom(...Object.keys(base), 'x'), fc.jsonValue(), { maxKeys: 6 }).map((over) => ({
      ...base,
      ...over,
    }))
  const data = fc.oneof(some(third().data), some(fourth().data), fc.jsonValue())
  const body = fc.oneof(
    fc.jsonValue().map((value) => ({ ...(value as object) })),
    some(second()),
    data.map((value) => ({ event: 'charge.completed', data: value })),
    data.map((value) => ({ type: 'charge.completed', webhook_id: 'w', data: value })),
  )
  fc.assert(
    fc.property(body, (value) => {
      const said = normalize(value as JsonObject)
      expect(['order', 'ignored', 'dead_letter']).toContain(said.outcome)
      if (said.outcome === 'dead_letter') expect(said.reason).toMatch(/^[a-z_]+$/)
    }),
  )
})
