import { describe, expect, test } from '@jest/globals'
import type { Order } from '@svc/contracts/order/v1/order'
import { aJob, inMinutes, NOW } from '../../test/job-fixture.ts'
import { jobAfter } from './job.ts'

const STANDARDIZED = {
  pickup_address: 'A',
  dropoff_address: 'B',
  vehicle_type_hint: 'van',
  cod_amount_minor: 1_500,
  cod_currency: 'ghs',
  scheduled_pickup_at: inMinutes(30).toISOString(),
  delivery_window_end: inMinutes(180).toISOString(),
}
const order = (changes: Partial<Order> = {}): Order => ({
  id: 'o',
  merchant_id: 'm',
  is_test: false,
  source: 'api',
  external_order_id: 'x',
  status: 'pending',
  payment_verified: false,
  unified_json: JSON.stringify({ standardized: STANDARDIZED }),
  pickup: { lat: 6.4, lng: 3.4 },
  updated_at: NOW.toISOString(),
  version: 2,
  assignment_version: 0,
  ...changes,
})

test('a new order is taken over whole; the times that its first fact lacks are those of the fact', () => {
  const heardAt = inMinutes(-3)
  expect(jobAfter(null, order({ updated_at: undefined, created_at: undefined }), heardAt)).toMatchObject({
    orderCreatedAt: heardAt,
    vehicleType: 'van',
    codAmountMinor: 1_500,
    codCurrency: 'GHS',
    codCollectedMinor: null,
    scheduledPickupAt: inMinutes(30),
    pickupLat: 6.4,
    dropoffLat: null,
    riderId: null,
    search: 'idle',
    round: 0,
  })
})

describe('the way of a rider', () => {
  const underWay = aJob({
    riderId: 'r',
    status: 'accepted',
    acceptedAt: inMinutes(-9),
    pickupLegMetres: 700,
    arrivedPickupAt: inMinutes(-2),
    eta: { computed_at: NOW.toISOString() },
  })

  test('goes on while the rider stays', () => {
    const collected = jobAfter(underWay, order({ status: 'picked_up', rider: { id: 'r' } }), NOW)
    expect(collected).toMatchObject({
      acceptedAt: inMinutes(-9),
      pickupLegMetres: 700,
      arrivedPickupAt: inMinutes(-2),
      pickedUpAt: NOW,
    })
    const later = { rider: { id: 'r' }, status: 'in_transit', updated_at: inMinutes(5).toISOString() }
    expect(jobAfter(collected, order(later), NOW).pickedUpAt).toEqual(NOW)
  })

  test('begins anew with another rider, who has what was collected before', () => {
    expect(jobAfter(underWay, order({ status: 'accepted', rider: { id: 's' } }), NOW)).toMatchObject({
      acceptedAt: NOW,
      pickupLegMetres: null,
      arrivedPickupAt: null,
      eta: null,
    })
    const collected = { ...underWay, status: 'picked_up', pickedUpAt: inMinutes(-1) }
    const passedOn = jobAfter(collected, order({ status: 'picked_up', rider: { id: 's' } }), NOW)
    expect(passedOn).toMatchObject({ pickedUpAt: inMinutes(-1), arrivedPickupAt: null })
  })

  test('is forgotten when the order waits again', () => {
    const waiting = { acceptedAt: null, pickedUpAt: null, riderId: null, pickupLegMetres: null }
    expect(jobAfter({ ...underWay, pickedUpAt: NOW }, order({ status: 'pending' }), NOW)).toMatchObject(waiting)
  })
})
