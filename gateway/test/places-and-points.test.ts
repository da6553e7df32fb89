import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import { areas, orderBody } from '../src/samples/requests.ts'
import { call } from './call.ts'
import { effectsOf, type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault, type Vault } from './vault.ts'

let vault: Vault
let upstream: Upstream
let running: Running

beforeAll(async () => {
  vault = await createVault()
  upstream = await startUpstream(vault)
  running = await startGateway(upstream)
})

afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})

const id = '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11'
const point = { lat: 6.45, lng: 3.39 }
const ends = { pickup_lat: 6.45, pickup_lng: 3.39, dropoff_lat: 6.5, dropoff_lng: 3.4 }

describe('a bad point in a body is 400 naming the field, and reaches no service', () => {
  const location = `/v1/riders/${id}/location`
  const faults: Array<[path: string, body: object, field: string, rule: string]> = [
    [location, {}, 'lat', 'required'],
    [location, { lat: '6.45', lng: 3.39 }, 'lat', 'type'],
    [location, { lat: 90.01, lng: 3.39 }, 'lat', 'max'],
    [location, { lat: 6.45, lng: -180.01 }, 'lng', 'min'],
    [location, { lat: 6.45 }, 'lng', 'required_together'],
    [location, { lat: null, lng: 3.39 }, 'lat', 'type'],
    [location, { ...point, heading_deg: 361 }, 'heading_deg', 'max'],
    [location, { ...point, speed_mps: -1 }, 'speed_mps', 'min'],
    [location, { ...point, recorded_at: 'yesterday' }, 'recorded_at', 'datetime'],
    [location, { ...point, recorded_at: '1969-12-31T23:59:59Z' }, 'recorded_at', 'time'],
    [location, { points: [point, { ...point, recorded_at: '0001-01-01T00:00:00Z' }] }, 'points[1].recorded_at', 'time'],
    [location, { points: [] }, 'points', 'min'],
    [location, { points: Array(101).fill(point) }, 'points', 'max'],
    [location, { points: [point, { lat: 6.45, lng: '3' }] }, 'points[1].lng', 'type'],
    [location, { points: [point, { lat: 6.45 }] }, 'points[1].lng', 'required'],
    [location, { ...point, points: [point] }, 'points', 'exclusive'],
    ['/v1/riders/me/sos', { lat: 6.45 }, 'lng', 'required_together'],
    ['/v1/riders/me/sos', { note: 'x'.repeat(501) }, 'note', 'max'],
    [`/v1/riders/me/orders/${id}/status`, { status: 'picked_up', lng: 3.39 }, 'lat', 'required_together'],
    [`/v1/riders/me/orders/${id}/status`, { status: 'flying' }, 'status', 'enum'],
    [`/v1/riders/me/orders/${id}/pod-otp/verify`, { code: '12345' }, 'code', 'pattern'],
    ['/v1/me/pricing/quote', { ...ends, dropoff_lat: undefined }, 'dropoff_lat', 'required'],
    ['/v1/me/pricing/quote', { ...ends, pickup_lng: '3.39' }, 'pickup_lng', 'type'],
    ['/v1/me/pricing/quote', { fulfillment_mode: 'internal_fleet', pickup_lat: 1 }, 'pickup_lng', 'required_together'],
    ['/v1/orders', { ...orderBody, quote_id: 'mine' }, 'quote_id', 'uuid'],
    [`/v1/orders/${id}/rider-assignment`, {}, 'rider_id', 'required'],
    [`/v1/orders/${id}/rider-assignment`, { rider_id: 'somebody' }, 'rider_id', 'uuid'],
  ]

  test.each(faults)('%s %j', async (path, body, field, rule) => {
    upstream.asked.length = 0
    const token = path.startsWith('/v1/riders/me') ? await vault.rider() : vault.key()
    const answer = await call(running.url, 'POST', path, { token, body })
    const { details } = answer.body
    expect([answer.status, answer.body.error, details.field, details.rule]).toEqual([
      400,
      'validation_error',
      field,
      rule,
    ])
    expect(effectsOf(upstream)).toEqual([])
  })
})

describe('a bad point in a query is 400 naming the field', () => {
  const [near, coverage] = ['/v1/me/riders/near', '/v1/coverage/check']
  const preview = '/v1/public/pricing/rate-card-preview'
  const candidates = `/v1/orders/${id}/dispatch-candidates`
  const faults: Array<[path: string, query: string, field: string]> = [
    [near, 'lng=3', 'lat'],
    [near, 'lat=6.45', 'lng'],
    [near, 'lat=NaN&lng=3', 'lat'],
    [near, 'lat=1e1&lng=3', 'lat'],
    [near, 'lat=&lng=3', 'lat'],
    [near, 'lat=91&lng=3', 'lat'],
    [near, 'lat=6&lng=181', 'lng'],
    [near, 'lat=6&lng=3&metres=0', 'metres'],
    [near, 'lat=6&lng=3&online_only=maybe', 'online_only'],
    [candidates, 'lat=x&lng=3', 'lat'],
    [candidates, 'lat=6&lng=3&limit=1.5', 'limit'],
    [coverage, '', 'lat'],
    [coverage, 'lat=6', 'lng'],
    [coverage, 'pickup_lng=3', 'pickup_lat'],
    [coverage, 'lat=6&lng=3&vehicle_type=bicycle', 'vehicle_type'],
    [preview, 'pickup_lat=6&pickup_lng=3&dropoff_lat=6', 'dropoff_lng'],
    [preview, 'pickup_lat=6&pickup_lng=3&dropoff_lat=6&dropoff_lng=3&weight_kg=501', 'weight_kg'],
    [`/v1/me/riders/${id}/location/history`, 'since=yesterday', 'since'],
    [`/v1/me/riders/${id}/location/history`, 'order=random', 'order'],
  ]

  test.each(faults)('%s?%s', async (path, query, field) => {
    const answer = await call(running.url, 'GET', `${path}?${query}`, { token: vault.key() })
    expect([answer.status, answer.body.error, answer.body.details.field]).toEqual([400, 'validation_error', field])
  })

  test('distances and limits above the maximum are lowered and echoed', async () => {
    const query = 'lat=6.45&lng=3.39&metres=999999&limit=999'
    const { body } = await call(running.url, 'GET', `${candidates}?${query}`, { token: vault.key() })
    expect([body.order_id, body.lat, body.lng, body.metres, body.limit]).toEqual([id, 6.45, 3.39, 100_000, 50])
    const standard = await call(running.url, 'GET', `${candidates}?lat=6.45&lng=3.39`, { token: vault.key() })
    expect([standard.body.metres, standard.body.limit]).toEqual([5000, 20])
  })
})

describe('areas', () => {
  const path = `/v1/admin/merchants/${id}/dispatch-zones`
  const put = async (body: object) => call(running.url, 'PUT', path, { token: await vault.operator(), body })

  test('pass to the service as they were sent, each with what it is by default', async () => {
    const [feature] = areas.features as [(typeof areas.features)[0]]
    const named = { ...feature, properties: { id, name: 'Island', active: false, priority: 7, colour: 'red' } }
    const answer = await put({ ...areas, features: [{ ...feature, properties: null }, named] })
    expect(answer.status).toBe(200)
    const { request } = upstream.asked.findLast(({ rpc }) => rpc === 'replaceDispatchZones') ?? {}
    const geometry_json = JSON.stringify(feature.geometry)
    expect(request).toEqual({
      merchant_id: id,
      zones: [
        { id: undefined, name: 'Area 1', active: true, priority: 0, geometry_json },
        { id, name: 'Island', active: false, priority: 7, geometry_json },
      ],
    })
  })

  test('that are no collection of features are 400 naming the field', async () => {
    const faults: Array<[object, string]> = [
      [{ type: 'Polygon', coordinates: [] }, 'type'],
      [{ ...areas, features: undefined }, 'features'],
      [{ ...areas, features: [areas.features[0], { type: 'Feature', geometry: null }] }, 'features[1].geometry'],
      [{ ...areas, features: [{ ...areas.features[0], type: 'Point' }] }, 'features[0].type'],
      [{ ...areas, features: [{ ...areas.features[0], properties: { name: 7 } }] }, 'features[0].properties.name'],
    ]
    for (const [body, field] of faults) {
      const answer = await put(body)
      expect([answer.status, answer.body.details?.field]).toEqual([400, field])
    }
  })
})

test.each([
  ['/v1/admin/rate-cards', 'base_minor', 1_000_000_001],
  ['/v1/admin/rate-cards', 'vat_percent', 101],
  ['/v1/admin/rate-cards', 'surge_percent', 1001],
])('%s with a %s beyond what the service takes reaches no service', async (path, field, value) => {
  upstream.asked.length = 0
  const body = { name: 'Lagos', currency: 'NGN', [field]: value }
  const answer = await call(running.url, 'POST', path, { token: await vault.operator(), body })
  expect([answer.status, answer.body.details?.field, answer.body.details?.limit]).toEqual([400, field, value - 1])
  expect(effectsOf(upstream)).toEqual([])
})

test('a schedule reaches its service with each day of a window once, however often it was sent', async () => {
  const token = await vault.operator()
  const days = [...Array(20_000).fill('tue'), 'mon', 'tue']
  const body = { timezone: 'Africa/Lagos', windows: [{ days, start: '08:00', end: '20:00' }] }
  upstream.asked.length = 0
  const path = `/v1/admin/merchants/${vault.merchantId}/dispatch-schedule`
  expect((await call(running.url, 'PUT', path, { token, body })).status).toBe(200)
  const [asked] = upstream.asked.filter(({ rpc }) => rpc === 'replaceDispatchSchedule')
  expect(asked?.request).toMatchObject({ schedule: { windows: [{ days: ['tue', 'mon'] }] } })
})

test('an invite code that shall live longer than the service lets one is refused', async () => {
  const body = { expires_in_hours: 721 }
  const answer = await call(running.url, 'POST', '/v1/me/fleet/invite-codes', { token: vault.key(), body })
  expect([answer.status, answer.body.details?.field, answer.body.details?.limit]).toEqual([
    400,
    'expires_in_hours',
    720,
  ])
})

describe('what a service refuses', () => {
  const refusing = async (rpc: string, error: ServiceError, ask: () => ReturnType<typeof call>) => {
    upstream.answers.set(rpc, error)
    try {
      return await ask()
    } finally {
      upstream.answers.delete(rpc)
    }
  }
  const create = () => call(running.url, 'POST', '/v1/orders', { token: vault.key(), body: orderBody })

  test('for want of coverage says where, at the top level and in its details', async () => {
    const details = { point: 'pickup', lat: 6.45, lng: 3.39, reason: 'outside_zones' }
    const { status, body } = await refusing(
      'createOrder',
      new ServiceError('OUT_OF_COVERAGE_AREA', { details }),
      create,
    )
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: 'OUT_OF_COVERAGE_AREA', point: 'pickup', lat: 6.45, lng: 3.39, details }),
    ])
  })

  test('for want of money says how much, at the top level and in its details', async () => {
    const details = { required_minor: 90_000, balance_minor: 100 }
    const error = new ServiceError('insufficient_wallet_for_freelancer_order', { details })
    const { status, body } = await refusing('createOrder', error, create)
    expect([status, body]).toEqual([402, expect.objectContaining({ ...details, details })])
  })

  test('of other errors nothing stands at the top level but the four fields of every error', async () => {
    const error = new ServiceError('quote_expired', { details: { point: 'x', required_minor: 1 } })
    const { body } = await refusing('createOrder', error, create)
    expect(Object.keys(body).toSorted()).toEqual(['details', 'error', 'message', 'request_id'])
  })
})

test('an internal quote has a routing in place of a fare', async () => {
  const internal_routing = { fleet_riders_available: 2, suggested_rider_ids: [id], note: 'Two riders.' }
  const quote = { quote_id: id, fulfillment_mode: 'internal_fleet', internal_routing, currency: 'NGN' }
  upstream.answers.set('createQuote', { ...quote, expires_at: '2026-11-21T10:15:30.000Z' })
  const body = { fulfillment_mode: 'internal_fleet' }
  const answer = await call(running.url, 'POST', '/v1/me/pricing/quote', { token: vault.key(), body })
  upstream.answers.delete('createQuote')
  expect([answer.status, answer.body]).toEqual([
    200,
    { ...quote, fee_minor: 0, expires_at: '2026-11-21T10:15:30.000Z' },
  ])
})

test('a tracking page shows where the rider is, and works without dispatch', async () => {
  const away = await startUpstream(vault)
  const at = await startGateway(away)
  try {
    const track = async () => (await call(at.url, 'GET', '/v1/tracking/AAAAAAAAAAAAAAAAAAAAAA')).body
    const shown = await track()
    expect(shown.rider.position).toEqual({ ...point, recorded_at: '2026-11-21T10:15:30.000Z' })
    expect(shown.eta).toEqual({ p50_at: '2026-11-21T11:52:00.000Z', p90_at: '2026-11-21T12:10:00.000Z' })
    await away.stopDispatch()
    expect(await track()).toEqual({ ...shown, rider: { ...shown.rider, position: null } })
  } finally {
    await at.gateway.stop()
    await away.stop()
  }
})
