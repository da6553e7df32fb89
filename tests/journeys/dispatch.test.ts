import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, type Receiver, receiver, sharedMesh } from '@svc/testing'
import { io, type Socket } from 'socket.io-client'
import {
  codeSentTo,
  DROPOFF,
  joinFleet,
  newPhone,
  offerOf,
  openRateCard,
  openZone,
  PICKUP,
  ping,
  placed,
  type TestRider,
} from './fleet.ts'
import { Api, type SignedUp, signUp } from './merchant.ts'
import { topUp } from './money.ts'

const system = sharedMesh('journeys')
let target: Receiver
let anyone: Api
let operator: Api
let merchant: SignedUp
let live: Api
let socket: Socket | undefined

const statusOf = async (orderId: string) => (await live.get(`/v1/orders/${orderId}`)).body.order.unified_json.status

beforeAll(async () => {
  target = await receiver()
  anyone = new Api(system.baseUrl)
  const minted = await anyone.post('/v1/admin/auth/token', { token: system.adminStaticToken })
  operator = anyone.bearing(minted.body.access_token)
  merchant = await signUp(system.baseUrl)
  await operator.patch(`/v1/admin/merchants/${merchant.merchantId}`, {
    kyb_status: 'verified',
    business_approval_status: 'approved',
  })
  const key = await merchant.owner.post('/v1/me/api-keys', { label: 'live' })
  live = anyone.bearing(key.body.api_key)
  const patched = await live.patch('/v1/me/outbound-webhook', { url: target.url, enabled: true })
  expect(patched.status).toBe(200)
  await topUp(system, live, 10_000_000)
})

afterAll(async () => {
  socket?.disconnect()
  await target?.close()
})

describe('places and prices', () => {
  test('without a rate card nothing is covered; with a zone and a card both preflights and the order agree', async () => {
    const query = `pickup_lat=${PICKUP.lat}&pickup_lng=${PICKUP.lng}&dropoff_lat=${DROPOFF.lat}&dropoff_lng=${DROPOFF.lng}`
    const before = await live.get(`/v1/coverage/check?${query}`)
    expect([before.status, before.body]).toMatchObject([200, { covered: false, reason: 'no_rate_card' }])
    expect((await live.post('/v1/orders', placed())).body).toMatchObject({
      error: 'OUT_OF_COVERAGE_AREA',
      point: 'pickup',
      details: { reason: 'no_rate_card' },
    })

    await openZone(operator, merchant.merchantId)
    await openRateCard(operator)
    expect((await live.get(`/v1/coverage/check?${query}`)).body).toMatchObject({ covered: true, reason: null })
    const preview = await anyone.get(`/v1/public/pricing/rate-card-preview?${query}`)
    const quote = await live.post('/v1/me/pricing/quote', {
      pickup_lat: PICKUP.lat,
      pickup_lng: PICKUP.lng,
      dropoff_lat: DROPOFF.lat,
      dropoff_lng: DROPOFF.lng,
    })
    expect([preview.status, quote.status]).toEqual([200, 200])
    expect(quote.body.fee_minor).toBe(preview.body.fare_minor)
    const sum = quote.body.breakdown.reduce(
      (total: number, line: { amount_minor: number }) => total + line.amount_minor,
      0,
    )
    expect(sum).toBe(quote.body.fee_minor)
  })

  test('an order outside the zone is refused with the point that lies outside', async () => {
    const refused = await live.post('/v1/orders', placed({}, { dropoff_lat: 9.07, dropoff_lng: 7.49 }))
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: 'OUT_OF_COVERAGE_AREA', point: 'dropoff', lat: 9.07, lng: 7.49, details: { reason: 'outside_zones' } },
    ])
  })
})

describe('an order finds its rider, and the rider its customer', () => {
  let riders: TestRider[]
  const customerPhone = newPhone()
  let orderId: string
  let trackingToken: string

  test('three riders join, prove their phones, are approved and go online', async () => {
    const world = { system, anyone, operator, live }
    riders = [
      await joinFleet(world, 'Bola Near', 0.002),
      await joinFleet(world, 'Chi Middle', 0.004),
      await joinFleet(world, 'Dele Far', 0.006),
    ]
    const near = await live.get(`/v1/me/riders/near?lat=${PICKUP.lat}&lng=${PICKUP.lng}&metres=5000&online_only=1`)
    expect(near.body.items.map((item: { rider_id: string }) => item.rider_id)).toEqual(riders.map(({ id }) => id))
  })

  test('the offer goes to the nearest; declined it goes to the next; expired it goes on', async () => {
    const created = await live.post('/v1/orders', placed({}, { customer_phone: customerPhone }))
    expect(created.status).toBe(201)
    expect(created.body.order.fee_minor).toBeGreaterThan(0)
    orderId = created.body.order.id
    trackingToken = created.body.order.tracking_token
    const [near, middle, far] = riders as [TestRider, TestRider, TestRider]
    const first = await offerOf(near, orderId)
    expect(first).toMatchObject({ status: 'pending', rank: 1, round: 1 })
    expect((await middle.api.get('/v1/riders/me/dispatch-offers')).body.offers).toEqual([])
    const declined = await near.api.post(`/v1/riders/me/dispatch-offers/${first.id}/decline`)
    expect([declined.status, declined.body.offer.status]).toEqual([200, 'declined'])

    const second = await offerOf(middle, orderId)
    expect(second).toMatchObject({ status: 'pending', rank: 2 })
    const third = await offerOf(far, orderId)
    const late = await middle.api.post(`/v1/riders/me/dispatch-offers/${second.id}/accept`)
    expect([late.status, late.body.error]).toEqual([409, 'offer_expired'])
    expect((await near.api.post(`/v1/riders/me/dispatch-offers/${third.id}/accept`)).status).toBe(404)

    const accepted = await far.api.post(`/v1/riders/me/dispatch-offers/${third.id}/accept`)
    expect([accepted.status, accepted.body.offer.status]).toEqual([200, 'accepted'])
    expect(accepted.body.order).toMatchObject({
      id: orderId,
      rider: { id: far.id, name: 'Dele Far', phone: far.phone },
    })
    const again = await far.api.post(`/v1/riders/me/dispatch-offers/${third.id}/accept`)
    expect([again.status, again.body.offer.id]).toEqual([200, third.id])
  })

  test('the trace says why each rider was asked', async () => {
    const { status, body } = await live.get(`/v1/orders/${orderId}/dispatch-trace`)
    expect([status, body.order_id]).toEqual([200, orderId])
    const offers = body.rounds.flatMap((round: { offers: object[] }) => round.offers)
    expect(offers.map((offer: { rider_id: string; status: string }) => [offer.rider_id, offer.status])).toEqual([
      [riders[0]?.id, 'declined'],
      [riders[1]?.id, 'expired'],
      [riders[2]?.id, 'accepted'],
    ])
  })

  test('merchant and customer watch the rider come', async () => {
    const { id, api } = riders[2] as TestRider
    const hints = await merchant.owner.get('/v1/me/realtime/rider-location')
    expect(hints.body).toMatchObject({ enabled: true, room: `merchant:${merchant.merchantId}`, path: '/realtime' })
    const token = merchant.owner.headers['authorization']?.replace('Bearer ', '')
    const heard: Array<{ name: string; body: { rider_id?: string; active_order_ids?: string[] } }> = []
    socket = io(system.baseUrl, {
      path: '/realtime',
      auth: { merchant_access_token: token },
      transports: ['websocket'],
    })
    socket.onAny((name, body) => heard.push({ name, body }))
    await eventually(() => heard.some(({ name }) => name === 'rider_locations_snapshot'))
    await ping(api, id, { lat: PICKUP.lat + 0.001, lng: PICKUP.lng })
    await eventually(() =>
      heard.some(
        ({ name, body }) =>
          name === 'rider_location' && body.rider_id === id && body.active_order_ids?.includes(orderId),
      ),
    )
    const page = await eventually(async () => {
      const { body } = await anyone.get(`/v1/tracking/${trackingToken}`)
      return body.rider?.position ? body : false
    })
    expect(page).toMatchObject({
      status: 'accepted',
      rider: { first_name: 'Dele', position: { lat: PICKUP.lat + 0.001 } },
    })
    expect(JSON.stringify(page)).not.toContain('+234')
  })

  test('a rider with an order under way cannot go offline', async () => {
    const { id, api } = riders[2] as TestRider
    const refused = await api.patch(`/v1/riders/${id}/online`, { is_online: false })
    expect([refused.status, refused.body.error]).toEqual([409, 'active_order'])
  })

  test('picked up, the order is in transit as soon as the rider has left', async () => {
    const { id, api } = riders[2] as TestRider
    await ping(api, id, PICKUP)
    const event = { status: 'picked_up', client_event_id: randomUUID() }
    for (let attempt = 0; attempt < 2; attempt++) {
      const picked = await api.post(`/v1/riders/me/orders/${orderId}/status`, event)
      expect([picked.status, picked.body.order.unified_json.status]).toEqual([200, 'picked_up'])
    }
    const skipped = await api.post(`/v1/riders/me/orders/${orderId}/status`, { status: 'accepted' })
    expect([skipped.status, skipped.body.error]).toEqual([409, 'invalid_transition'])
    // The facts of the pickup reach dispatch a moment later; riders ping all the time.
    await eventually(
      async () => {
        await ping(api, id, { lat: PICKUP.lat - 0.005, lng: PICKUP.lng + 0.005 })
        return (await statusOf(orderId)) === 'in_transit'
      },
      { intervalMs: 1_000 },
    )
  })

  test('the customer tells the code, and the order is delivered', async () => {
    const { id, api } = riders[2] as TestRider
    await ping(api, id, DROPOFF)
    const requested = await api.post(`/v1/riders/me/orders/${orderId}/pod-otp/request`)
    expect([requested.status, requested.body]).toMatchObject([200, { sent: true, expires_in: 600 }])
    const soon = await api.post(`/v1/riders/me/orders/${orderId}/pod-otp/request`)
    expect([soon.status, soon.body.error]).toEqual([429, 'otp_cooldown'])
    const code = await codeSentTo(system, customerPhone)
    const wrong = await api.post(`/v1/riders/me/orders/${orderId}/pod-otp/verify`, {
      code: code === '111111' ? '222222' : '111111',
    })
    expect([wrong.status, wrong.body]).toMatchObject([400, { error: 'invalid_otp', details: { attempts_left: 4 } }])

    const upload = await api.post('/v1/riders/me/uploads/pod-photo-presign', {
      content_type: 'image/jpeg',
      size_bytes: 3,
    })
    expect(upload.status).toBe(201)
    const stored = await fetch(upload.body.upload.url, {
      method: 'PUT',
      headers: upload.body.upload.headers,
      body: new Uint8Array([0xff, 0xd8, 0xff]),
    })
    expect(stored.status).toBe(200)
    const { storage_key } = upload.body
    const verified = await api.post(`/v1/riders/me/orders/${orderId}/pod-otp/verify`, {
      code,
      photo_storage_key: storage_key,
      ...DROPOFF,
    })
    expect([verified.status, verified.body]).toMatchObject([
      200,
      {
        verified: true,
        order: {
          unified_json: {
            status: 'delivered',
            pod: { method: 'otp', rider_id: id, phone_last4: customerPhone.slice(-4), photo_storage_key: storage_key },
          },
        },
      },
    ])
    expect((await anyone.get(`/v1/tracking/${trackingToken}`)).body).toMatchObject({ status: 'delivered' })
    await eventually(async () => (await api.patch(`/v1/riders/${id}/online`, { is_online: false })).status === 200, {
      intervalMs: 500,
    })
  })

  test('every event arrived once, in a gapless sequence', async () => {
    const story = [
      ['order.created', 'pending'],
      ['order.rider_assigned', 'accepted'],
      ['order.accepted', 'accepted'],
      ['order.picked_up', 'picked_up'],
      ['order.status_updated', 'picked_up'],
      ['order.status_updated', 'in_transit'],
      ['order.delivered', 'delivered'],
      ['order.status_updated', 'delivered'],
    ]
    const ofOrder = () =>
      target.requests
        .map(({ body }) => JSON.parse(body.toString()))
        .filter(({ order }) => order?.id === orderId)
        .toSorted((a, b) => a.sequence - b.sequence)
    await eventually(() => ofOrder().length >= story.length)
    expect(ofOrder().map(({ event, order }) => [event, order.unified_json.status])).toEqual(story)
    expect(ofOrder().map(({ sequence }) => sequence)).toEqual(story.map((_event, index) => index + 1))
    expect(ofOrder()[1].rider).toMatchObject({ id: riders[2]?.id, name: 'Dele Far', vehicle_type: 'motorcycle' })
  })

  test('a merchant assigns by hand, takes back, and cancels; the rider is free again', async () => {
    const { id } = riders[0] as TestRider
    const created = await live.post(
      '/v1/orders',
      placed(
        {},
        {
          scheduled_pickup_at: new Date(Date.now() + 6 * 3_600_000).toISOString(),
          delivery_window_start: new Date(Date.now() + 6 * 3_600_000).toISOString(),
          delivery_window_end: new Date(Date.now() + 8 * 3_600_000).toISOString(),
        },
      ),
    )
    const path = `/v1/orders/${created.body.order.id}/rider-assignment`
    const assigned = await live.post(path, { rider_id: id })
    expect([assigned.status, assigned.body]).toMatchObject([200, { order: { rider: { id } }, previous_rider_id: null }])
    const taken = await live.post(path, { rider_id: null })
    expect([taken.status, taken.body.previous_rider_id, taken.body.order.rider]).toEqual([200, id, undefined])
    expect((await live.post(path, { rider_id: id })).status).toBe(200)
    expect((await live.post(`/v1/orders/${created.body.order.id}/cancel`, { reason: 'other' })).status).toBe(200)
    const terminal = await live.post(path, { rider_id: null })
    expect([terminal.status, terminal.body.error]).toEqual([409, 'order_terminal'])
    await eventually(
      async () =>
        (await (riders[0] as TestRider).api.patch(`/v1/riders/${id}/online`, { is_online: false })).status === 200,
    )
  })
})

describe('the sandbox rider', () => {
  const phone = '+2348000000000'
  const test_ = { 'x-service-environment': 'test' }

  test('logs in by its fixed code, in the test environment only, and sees the orders of the key alone', async () => {
    const created = await merchant.test.post('/v1/test/simulator/orders', {
      external_order_id: randomUUID(),
      pickup_address: '12 Marina Road, Lagos',
      dropoff_address: '5 Admiralty Way, Lekki',
      customer_name: 'Ada Obi',
      customer_phone: '+2348031234567',
    })
    const orderId = created.body.order_id
    await merchant.test.post('/v1/test/simulator/rider-action', { order_id: orderId, action: 'accept' })

    expect((await anyone.post('/v1/auth/rider/phone-otp/request', { phone }, test_)).status).toBe(200)
    const outside = await anyone.post('/v1/auth/rider/phone-otp/verify', { phone, code: '000000' })
    expect([outside.status, outside.body.error]).toEqual([400, 'invalid_otp'])

    const unbound = await anyone.post('/v1/auth/rider/phone-otp/verify', { phone, code: '000000' }, test_)
    expect([unbound.status, unbound.body.is_sandbox]).toEqual([200, true])
    const stranger = anyone.bearing(unbound.body.access_token)
    expect((await stranger.get('/v1/riders/me/orders')).body).toMatchObject({ orders: [], total: 0 })

    const key = merchant.test.headers['authorization']?.replace('Bearer ', '') as string
    const bound = await anyone.post(
      '/v1/auth/rider/phone-otp/verify',
      { phone: '08000000000', code: '000000' },
      { ...test_, 'x-api-key': key },
    )
    const rider = anyone.bearing(bound.body.access_token)
    const orders = await rider.get('/v1/riders/me/orders')
    expect(orders.body.orders.map((order: { id: string }) => order.id)).toEqual([orderId])
    expect((await rider.post(`/v1/riders/me/orders/${orderId}/pod-otp/request`)).status).toBe(200)
    const verified = await rider.post(`/v1/riders/me/orders/${orderId}/pod-otp/verify`, { code: '000000' })
    expect([verified.status, verified.body.order?.unified_json.status]).toEqual([200, 'delivered'])
  })
})
