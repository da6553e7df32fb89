import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { addressKey, addressWarnings } from './address-memory.ts'

const tenant = { merchantId: randomUUID(), isTest: false }
const place = { customer_phone: '+2348031234567', dropoff_address: '22 Broad Street, Lagos' }

test('an address is the same however it is spelled, and another of another phone, merchant or environment', () => {
  const key = addressKey(tenant, place)
  expect(addressKey(tenant, { ...place, dropoff_address: ' 22  BROAD street - Lagos.' })).toEqual(key)
  expect(addressKey(tenant, { ...place, dropoff_address: '23 Broad Street, Lagos' })).not.toEqual(key)
  expect(addressKey(tenant, { ...place, customer_phone: '+2348031234568' })).not.toEqual(key)
  expect(addressKey({ ...tenant, merchantId: randomUUID() }, place)).not.toEqual(key)
  expect(addressKey({ ...tenant, isTest: true }, place)).not.toEqual(key)
})

test('what has no phone, no address or no word in it is remembered by nothing', () => {
  expect(addressKey(tenant, { ...place, customer_phone: null })).toBeNull()
  expect(addressKey(tenant, { ...place, dropoff_address: undefined })).toBeNull()
  expect(addressKey(tenant, { ...place, dropoff_address: ' , . ' })).toBeNull()
})

test('a point far from the pin is told with its distance and how sure that is; a near one, and none, are not', () => {
  const pin = { lat: 6.46, lng: 3.4, proofs: 1 }
  expect(addressWarnings(pin, { lat: 6.47, lng: 3.4 })).toEqual([
    'standardized.dropoff_lat and dropoff_lng are 1112 m from 6.46000, 3.40000, where orders for this phone and address were handed over (confidence: low).',
  ])
  expect(addressWarnings({ ...pin, proofs: 2 }, { lat: 6.47, lng: 3.4 })[0]).toContain('(confidence: medium)')
  expect(addressWarnings({ ...pin, proofs: 7 }, { lat: 6.47, lng: 3.4 })[0]).toContain('(confidence: high)')
  expect(addressWarnings(pin, { lat: 6.461, lng: 3.4 })).toEqual([])
  expect(addressWarnings(pin, null)).toEqual([])
  expect(addressWarnings(null, { lat: 6.47, lng: 3.4 })).toEqual([])
})
