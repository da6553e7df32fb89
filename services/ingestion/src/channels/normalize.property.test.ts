import { describe, expect, test } from '@jest/globals'
import { type JsonObject, readObject } from '@svc/exact-json'
import fc from 'fast-check'
import { readConfig } from '../config.ts'
import { normalizeMail } from './email-a/normalize.ts'
import { channelsOf } from './index.ts'
import { normalizedHook } from './normalized-hook.ts'
import type { Normalized, Normalizer } from './normalizer.ts'
import { sortHook } from './sort-hook.ts'
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

const channels = channelsOf(
  readConfig({
    INGESTION_DATABASE_URL: 'postgres://app@db/ingestion',
    INGESTION_WORKER_URL: 'postgres://worker@db/ingestion',
    KAFKA_BROKERS: 'kafka:9092',
    ADMIN_GRPC_ADDRESS: 'none',
    ORDER_GRPC_ADDRESS: 'none',
    CALLER_SECRET_GATEWAY_INGESTION: 'x'.repeat(32),
    KEY_ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  }),
)

const MERCHANT = '018f3c5e-7d2a-4f00-8000-000000000001'

const SAID = [
  'charge.success charge.completed successful succeeded success inbound email.received subscription.create transfer.success',
  'test live application/pdf Order_from_shop {"delivery_address":"4_Marina"}',
]
  .join(' ')
  .split(' ')
  .concat(MERCHANT, `store-${MERCHANT}@in.example.com`, 'Order 17', '2026-11-23 10:00')

const FIELDS = [
  'event type event.type data id reference tx_ref txRef status amount currency metadata meta meta_data merchant_id',
  'custom_fields variable_name value delivery_address delivery_phone customer phone phone_number email domain webhook_id',
  'message_id message sender receiver to cc received_for subject attachments email_id created_at paid_at',
]
  .join(' ')
  .split(' ')

/** Bodies in the words of payments, messages and mail, of any generation, with anything in their fields. */
const said = (() => {
  const word = fc.constantFrom(...SAID, ...WORDS)
  const name = fc.constantFrom(...FIELDS)
  const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      word,
      fc.constantFrom(null, true, 0, 7, 100, -1, 0.1, 1e300),
      fc.jsonValue(),
      tie('object'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
    object: fc.dictionary(fc.oneof({ weight: 9, arbitrary: name }, fc.string()), tie('value'), { maxKeys: 12 }),
  }))
  return object
})()

describe('any object that comes by a channel has one key, and is handed on, ignored or dead with a reason', () => {
  test.each([...channels.values()].map((channel) => [channel.name, channel] as const))('%s', (_name, channel) => {
    fc.assert(
      fc.property(fc.oneof(said, body), fc.constantFrom('platform', MERCHANT), (value, signer) => {
        const headers = { [channel.signatureHeader]: 'x', ...(channel.topicHeader && { [channel.topicHeader]: 'a/b' }) }
        const kept = { headers, body: Buffer.from(JSON.stringify(value)) }
        const key = channel.dedupeKeyOf(kept)
        expect(key).toBe(channel.dedupeKeyOf(kept))
        expect(key.length).toBeGreaterThan(0)
        expect(key.length).toBeLessThanOrEqual(512)
        const sorted = sortHook(channel, { ...kept, signer })
        if (sorted.state !== 'received') {
          expect(sorted.reason).toMatch(/^[a-z_]+$/)
          return
        }
        if (sorted.merchantId !== null) expect(sorted.merchantId).toMatch(/^[0-9a-f-]{36}$/)
        channel.orderBeside?.({ signer, pathMerchantId: null, body: kept.body })
        if (channel.normalize) judge(normalizedHook(channel, { ...kept, event: sorted.event, receivedAt: new Date() }))
      }),
      { numRuns: 200 },
    )
  })
})
