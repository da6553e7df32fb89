import { describe, expect, test } from '@jest/globals'
import { type JsonObject, readObject } from '@svc/exact-json'
import fc from 'fast-check'
import { normalizeMail } from './email-a/normalize.ts'
import type { Normalized, Normalizer } from './normalizer.ts'
import { normalizeStorefrontA } from './storefront-a/normalize.ts'
import { normalizeStorefrontB } from './storefront-b/normalize.ts'

const NAMES = [
  'id test status financial_status fulfillment_status cancelled_at cancel_reason updated_at date_paid_gmt currency total',
  'total_price total_outstanding payment_method payment_gateway_names line_items shipping billing shipping_address customer',
  'name title quantity current_quantity price grams sku requires_shipping address1 address_1 city country country_code phone',
  'latitude longitude note note_attributes customer_note first_name number value',
]
  .join(' ')
  .split(' ')

const WORDS = [
  'paid',
  'pending',
  'processing',
  'cancelled',
  'NGN',
  'cod',
  'NG',
  '4 Admiralty Way',
  '+2348031234567',
  '12.5',
]

/** Objects in the words of storefronts, with anything in their fields. */
const body = fc.dictionary(
  fc.oneof(fc.constantFrom(...NAMES), fc.string()),
  fc.oneof(
    fc.constantFrom(...WORDS, null, true, 7, -1, 0.1, 1e300, 820982911946154500),
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(fc.constantFrom(...WORDS, null, 3), fc.jsonValue())),
    fc.array(fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(fc.constantFrom(...WORDS, 2), fc.jsonValue()))),
  ),
)

const EVENTS = ['', 'orders/create', 'orders/delete', 'order.created', 'order.deleted', 'customers/redact']

function judge(said: Normalized): void {
  switch (said.outcome) {
    case 'ignored':
    case 'dead_letter':
      expect(said.reason).toMatch(/^[a-z_]+$/)
      return
    case 'order': {
      const { order } = said
      expect(order.dropoff_address.length).toBeGreaterThanOrEqual(3)
      expect(order.dropoff_address.length).toBeLessThanOrEqual(500)
      expect(order.customer_phone).toMatch(/^\+[1-9]\d{6,14}$/)
      expect((order.notes ?? '').length).toBeLessThanOrEqual(2000)
      expect(order.dropoff_lat === undefined).toBe(order.dropoff_lng === undefined)
      for (const { quantity, name } of order.items ?? []) {
        expect(Number.isSafeInteger(quantity) && quantity >= 1).toBe(true)
        expect(name.length).toBeGreaterThan(0)
      }
    }
  }
  expect(said.externalOrderId).not.toBe('')
  expect(said.externalOrderId.length).toBeLessThanOrEqual(512)
}

describe('any object of a storefront is an order that the contract takes, ignored, or a dead letter with a reason', () => {
  test.each<[string, Normalizer]>([
    ['storefront-a', normalizeStorefrontA],
    ['storefront-b', normalizeStorefrontB],
  ])('%s', (_name, normalize) => {
    fc.assert(
      fc.property(body, fc.constantFrom(...EVENTS), (value, event) => {
        fc.pre(!Object.keys(value).includes('__proto__'))
        const text = JSON.stringify(value)
        let read: ReturnType<typeof readObject>
        try {
          read = readObject(Buffer.from(text), true)
        } catch {
          return
        }
        judge(normalize(read, { event, headers: {}, receivedAt: new Date() }))
      }),
      { numRuns: 1_000 },
    )
  })
})

test('any mail is an order that the contract takes, or a dead letter with a reason', () => {
  const line = fc
    .tuple(
      fc.constantFrom('Address', 'Phone', 'Pickup time', 'Deliver by', 'COD', 'Items', 'Weight', 'Name', 'Notes', ''),
      fc.constantFrom(': ', ':', '=', '\t', ''),
      fc.oneof(fc.constantFrom(...WORDS, '2026-11-23 10:00', 'NGN 4,500', '2 x Rice', '1.5 kg'), fc.string()),
    )
    .map((parts) => parts.join(''))
  const text = fc.array(line).map((lines) => lines.join('\n'))
  const told = fc.oneof(text, fc.jsonValue())
  const fetched = fc.record({
    text: told,
    html: told,
    attachments: fc.oneof(fc.array(fc.record({ text: told })), fc.jsonValue()),
  })
  fc.assert(
    fc.property(
      fc.oneof(fc.record({ email_id: fc.constant('e'), text: told }), fc.jsonValue()),
      fetched,
      (data, body) => {
        const mail = { type: 'email.received', data, email_received_body: body } as JsonObject
        judge(normalizeMail(mail, { event: 'email.received', headers: {}, receivedAt: new Date() }))
      },
    ),
    { numRuns: 1_000 },
  )
})
