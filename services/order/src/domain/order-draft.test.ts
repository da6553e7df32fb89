import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { changedFields } from './changed-fields.ts'
import { type CreationRequest, readDraft } from './order-draft.ts'

const standardized = { pickup_address: '1 Marina', dropoff_address: '2 Broad St', customer_phone: '08031234567' }

const request = (changes: Record<string, unknown> = {}, more: Partial<CreationRequest> = {}): CreationRequest => ({
  source: 'api',
  externalOrderId: 'A-1',
  rawPayloadJson: '{}',
  standardizedJson: JSON.stringify({ ...standardized, ...changes }),
  ...more,
})

const fieldsOf = (input: CreationRequest): string[] => {
  try {
    readDraft(input)
    return []
  } catch (error) {
    return (error as { details: { fields: Array<{ field: string }> } }).details.fields.map(({ field }) => field)
  }
}

describe('what becomes of a request', () => {
  test('a Nigerian local number is stored as E.164', () => {
    expect(readDraft(request()).standardized.customer_phone).toBe('+2348031234567')
  })

  test('unknown keys and every digit of the payload are kept', () => {
    const draft = readDraft(
      request({ mine: [1, { a: null }] }, { rawPayloadJson: '{"big":12345678901234567890,"x":1.0}' }),
    )
    expect(draft.unifiedJson).toContain('"raw_payload":{"big":12345678901234567890,"x":1.0}')
    expect(JSON.parse(draft.unifiedJson).standardized.mine).toEqual([1, { a: null }])
  })

  test('an item without a quantity is one item', () => {
    expect(readDraft(request({ items: [{ name: 'Bag' }, { name: 'Box', quantity: 3 }] })).standardized.items).toEqual([
      { name: 'Bag', quantity: 1 },
      { name: 'Box', quantity: 3 },
    ])
  })

  test.each([
    [{ customer_phone: '12345' }, ['standardized.customer_phone']],
    [{ customer_phone: undefined, pickup_address: '' }, ['standardized.pickup_address', 'standardized.customer_phone']],
    [{ pickup_lat: 6.5 }, ['standardized.pickup_lng']],
    [{ dropoff_lat: 91, dropoff_lng: '3' }, ['standardized.dropoff_lat', 'standardized.dropoff_lng']],
    [{ vehicle_type_hint: 'bicycle' }, ['standardized.vehicle_type_hint']],
    [{ rider_id: 'Bola' }, ['standardized.rider_id']],
    [{ rider_id: 7 }, ['standardized.rider_id']],
    [{ items: [1] }, ['standardized.items']],
  ])('%j is refused, naming the fields', (changes, fields) => {
    expect(fieldsOf(request(changes)).toSorted()).toEqual(fields.toSorted())
  })

  test('a quote that is no uuid is refused', () => {
    expect(fieldsOf(request({}, { quoteId: 'q-1' }))).toEqual(['quote_id'])
  })

  test('the rider that is asked for is no part of the record before the order is theirs, but of what was asked', () => {
    const riderId = '5A4D0B0C-0000-4000-8000-000000000009'
    const [plain, named] = [readDraft(request()), readDraft(request({ rider_id: riderId }))]
    expect(named.riderId).toBe(riderId.toLowerCase())
    expect(named.unifiedJson).toBe(plain.unifiedJson)
    expect(named.fingerprint).not.toEqual(plain.fingerprint)
    expect(readDraft(request({}, { quoteId: riderId })).fingerprint).toEqual(plain.fingerprint)
  })

  test.each([-1, 0.5, '5000', 1_000_000_000_001, 2 ** 53])('%p is no commission', (delivery_commission_minor) => {
    expect(fieldsOf(request({ delivery_commission_minor }))).toEqual(['standardized.delivery_commission_minor'])
  })

  test('a broken envelope is refused, naming its part', () => {
    expect(fieldsOf(request({}, { rawPayloadJson: '[]' }))).toEqual(['raw_payload'])
    expect(fieldsOf(request({}, { standardizedJson: '{' }))).toEqual(['standardized'])
    expect(fieldsOf(request({}, { source: 'My Shop', externalOrderId: '' }))).toEqual(['source', 'external_order_id'])
  })
})

describe('the vehicle', () => {
  test.each([
    [{}, null, null],
    [{ is_fragile: true }, 'car', 'derived'],
    [{ weight_kg: 20 }, 'motorcycle', 'derived'],
    [{ weight_kg: 20.1 }, 'car', 'derived'],
    [{ weight_kg: 20, is_fragile: true }, 'car', 'derived'],
    [{ length_cm: 61 }, 'car', 'derived'],
    [{ weight_kg: 1, height_cm: 121 }, 'van', 'derived'],
    [{ weight_kg: 300, width_cm: 250 }, 'van', 'derived'],
    [{ weight_kg: 301 }, 'truck', 'derived'],
    [{ weight_kg: 301, is_fragile: true }, 'truck', 'derived'],
    [{ items: [{ name: 'a', weight_kg: 30, quantity: 4 }, { name: 'b' }] }, 'van', 'derived'],
    [{ weight_kg: 1, items: [{ name: 'a', weight_kg: 300 }] }, 'motorcycle', 'derived'],
    [{ weight_kg: 400, is_fragile: true, vehicle_type_hint: 'motorcycle' }, 'motorcycle', 'caller'],
    [{ weight_kg: 400, vehicle_type_hint: null }, 'truck', 'derived'],
  ])('%j travels by %p, chosen by %p', (changes, vehicle, source) => {
    const draft = readDraft(request(changes))
    expect([draft.vehicleTypeHint, draft.vehicleTypeSource]).toEqual([vehicle, source])
    expect(draft.standardized.vehicle_type_hint ?? null).toBe(vehicle)
  })
})

describe('the fingerprint', () => {
  test('does not depend on the order of keys, at any depth, and depends on every value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (a, b) => {
        const reversed = (value: unknown): unknown =>
          Array.isArray(value)
            ? value.map(reversed)
            : typeof value === 'object' && value !== null
              ? Object.fromEntries(
                  Object.entries(value)
                    .toReversed()
                    .map(([key, inner]) => [key, reversed(inner)]),
                )
              : value
        const of = (payload: unknown) =>
          readDraft(request({}, { rawPayloadJson: JSON.stringify(payload) })).fingerprint.toString('hex')
        expect(of(reversed(a))).toBe(of(a))
        expect(of({ a, b: 1 })).not.toBe(of({ a, b: 2 }))
        expect(of({ a, b })).not.toBe(of({ a, b: [b] }))
      }),
    )
  })

  test('is that of the request as sent, not as normalised', () => {
    const local = readDraft(request())
    const international = readDraft(request({ customer_phone: '+2348031234567' }))
    expect(international.standardized).toEqual(local.standardized)
    expect(international.fingerprint).not.toEqual(local.fingerprint)
  })
})

describe('what a duplicate changed', () => {
  const stored = (changes: Record<string, unknown>) => readDraft(request(changes))

  test('is named by path, without what the service derived', () => {
    const draft = readDraft(
      request(
        { dropoff_address: 'Elsewhere', weight_kg: 90, items: [{ name: 'b' }] },
        { rawPayloadJson: '{"a":{"b":2}}' },
      ),
    )
    expect(changedFields(stored({ weight_kg: 1, items: [{ name: 'a' }] }), draft)).toEqual([
      'standardized.dropoff_address',
      'standardized.weight_kg',
      'standardized.items[0].name',
      'raw_payload.a',
    ])
  })

  test('includes a vehicle that was derived and is now stated', () => {
    expect(
      changedFields(stored({ weight_kg: 1 }), readDraft(request({ weight_kg: 1, vehicle_type_hint: 'motorcycle' }))),
    ).toEqual(['standardized.vehicle_type_hint'])
  })

  test('includes a vehicle that was stated and is now left out', () => {
    expect(changedFields(stored({ vehicle_type_hint: 'van' }), readDraft(request()))).toEqual([
      'standardized.vehicle_type_hint',
    ])
  })

  test('is the phone when only its notation differs', () => {
    expect(changedFields(stored({}), readDraft(request({ customer_phone: '+2348031234567' })))).toEqual([
      'standardized.customer_phone',
    ])
  })
})
