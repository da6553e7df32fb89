import { describe, expect, test } from '@jest/globals'
import { OrderFact } from '@svc/contracts/order/v1/order'
import { envelopeJson, MAX_ENVELOPE_BYTES } from './envelope.ts'

const occurredAt = new Date('2026-11-21T10:00:00.123Z')
const eventId = 'e0000000-0000-4000-8000-000000000001'

function envelope(event: string, overrides: object = {}, unified: object = {}) {
  const unified_json = JSON.stringify({
    schema_version: '1',
    status: 'pending',
    raw_payload: {},
    standardized: {},
    ...unified,
  })
  const message = OrderFact.fromPartial({
    ...overrides,
    order: {
      id: 'o1',
      merchant_id: 'm1',
      source: 'api',
      external_order_id: 'x-1',
      status: 'pending',
      tracking_token: 'token',
      unified_json,
      ...(overrides as { order?: object }).order,
    },
  })
  return envelopeJson({ event, eventId, occurredAt, sequence: 1, merchantId: 'm1', message })
}

describe('the envelope', () => {
  test('has the published fields, and no rider when the order has none', () => {
    expect(JSON.parse(envelope('order.created'))).toEqual({
      event: 'order.created',
      event_id: eventId,
      occurred_at: '2026-11-21T10:00:00.123Z',
      api_version: 'v1',
      sequence: 1,
      merchant_id: 'm1',
      order: {
        id: 'o1',
        merchant_id: 'm1',
        source: 'api',
        external_order_id: 'x-1',
        is_test: false,
        status: 'pending',
        tracking_token: 'token',
        customer_tracking_url: null,
        cancelled_at: null,
        created_at: '2026-11-21T10:00:00.123Z',
        updated_at: '2026-11-21T10:00:00.123Z',
        unified_json: { schema_version: '1', status: 'pending', raw_payload: {}, standardized: {} },
      },
    })
  })

  test('carries the previous status, the previous rider and the rider where they belong', () => {
    const updated = JSON.parse(envelope('order.status_updated', { previous_status: 'accepted' }))
    expect(updated).toMatchObject({ previous_status: 'accepted', status: 'pending' })
    const assigned = JSON.parse(
      envelope('order.rider_assigned', { previous_rider_id: 'r0', order: { rider: { id: 'r1', name: 'Ada' } } }),
    )
    expect(assigned).toMatchObject({
      previous_rider_id: 'r0',
      rider: { id: 'r1', name: 'Ada', phone: null, vehicle_type: null },
    })
    expect(assigned).not.toHaveProperty('status')
  })

  test('leaves the digits of the caller as they were sent', () => {
    const text = envelope('order.created', { order: { unified_json: '{"raw_payload":{"n":12345678901234567890.10}}' } })
    expect(text).toContain('"n":12345678901234567890.10')
  })

  test('a payload over the cap is cut to raw_payload first, then items, and stays within the cap', () => {
    const large = 'x'.repeat(MAX_ENVELOPE_BYTES)
    const payloadCut = JSON.parse(
      envelope('order.created', {}, { raw_payload: { large }, standardized: { items: [1] } }),
    )
    expect(payloadCut.order.unified_json).toMatchObject({
      raw_payload: { truncated: true },
      standardized: { items: [1] },
    })
    const bothCut = envelope('order.created', {}, { raw_payload: { large }, standardized: { items: [large] } })
    expect(JSON.parse(bothCut).order.unified_json.standardized.items).toEqual({ truncated: true })
    expect(Buffer.byteLength(bothCut)).toBeLessThan(MAX_ENVELOPE_BYTES)
  })
})
