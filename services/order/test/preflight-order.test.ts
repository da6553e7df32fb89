import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { adminCaller } from '@svc/testing'
import { type DispatchMesh, dispatchMesh } from '../../dispatch/test/dispatch-mesh.ts'
import { box, polygon, zone } from '../../dispatch/test/shapes.ts'
import { signUp } from '../../dispatch/test/sign-up.ts'
import { creation } from './order-mesh.ts'

const inside = { pickup_lat: 6.45, pickup_lng: 3.4, dropoff_lat: 6.5, dropoff_lng: 3.45 }

let mesh: DispatchMesh
beforeAll(async () => {
  mesh = await dispatchMesh()
  const rate_card = { name: 'Platform', currency: 'NGN', base_minor: 50_000, per_km_minor: 10_000 }
  await mesh.pricing(adminCaller()).createRateCard({ rate_card })
})
afterAll(() => mesh?.stop())

async function merchant() {
  const { id: merchant_id, caller, live } = await signUp(mesh)
  const zones = [zone('Lagos', polygon(box(3, 6, 4, 7)))]
  await mesh.places(adminCaller()).replaceDispatchZones({ merchant_id, zones })
  return { caller, live }
}

const stored = async (externalOrderId: string): Promise<number> =>
  (await mesh.orderSql('SELECT FROM orders WHERE external_order_id = $1', [externalOrderId])).length

test('an order that would be accepted has no failure and the price of its creation, and is not stored', async () => {
  const { caller } = await merchant()
  const request = creation({}, inside)
  const { failures, quote } = await mesh.orders(caller).preflightOrder(request)
  expect(failures).toEqual([])
  expect(await stored(request.external_order_id)).toBe(0)
  const { order } = await mesh.orders(caller).createOrder(request)
  expect(quote).toMatchObject({ fee_minor: order?.fee_minor, currency: 'NGN', rate_card_version: 1 })
  // What exists is answered by its creation: it is no failure.
  expect((await mesh.orders(caller).preflightOrder(request)).failures).toEqual([])
})

test('every refusal is told at once, in the order in which the creation judges, each with its details', async () => {
  const { live } = await merchant()
  const first = creation({}, inside)
  await mesh.orders(live).createOrder(first)
  const unverified = { ...live, standing: { ...live.standing!, kybStatus: 'pending_review' } }
  const record = { ...inside, dropoff_lat: 9, scheduled_pickup_at: '2020-01-01T10:00:00Z' }
  const asked = creation({ external_order_id: first.external_order_id }, record)
  const { failures, quote } = await mesh.orders(unverified).preflightOrder(asked)
  expect(failures.map(({ error, details_json }) => [error, JSON.parse(details_json)])).toEqual([
    ['duplicate_order', expect.objectContaining({ external_order_id: first.external_order_id })],
    ['invalid_pickup_time', expect.objectContaining({ rule: 'in_future' })],
    ['kyb_required', expect.objectContaining({ kyb_status: 'pending_review' })],
    ['OUT_OF_COVERAGE_AREA', expect.objectContaining({ point: 'dropoff', lat: 9 })],
  ])
  expect(quote).toBeUndefined()
})

test('what is no order is one failure that names its fields', async () => {
  const { caller } = await merchant()
  const { failures } = await mesh.orders(caller).preflightOrder(creation({}, { customer_phone: 'x' }))
  expect(failures).toEqual([expect.objectContaining({ error: 'validation_error' })])
  expect(JSON.parse(failures[0]!.details_json)).toMatchObject({ field: 'standardized.customer_phone' })
})
