import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, type Receiver, receiver, sharedMesh } from '@svc/testing'
import { Api, orderBody, type SignedUp, signUp } from './merchant.ts'

/** HMAC-SHA256 by an implementation that is not ours. */
function opensslHmac(secret: string, body: Buffer): string {
  const out = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: body })
  return out.toString().trim().split(/\s+/).at(-1) ?? ''
}

const system = sharedMesh('journeys')
let target: Receiver

beforeAll(async () => {
  target = await receiver()
})

afterAll(async () => {
  await target?.close()
})

test('the gateway tells the readiness of the whole mesh', async () => {
  const checks = { database: 'ok', redis: 'ok', kafka: 'ok', services: { admin: 'ok', order: 'ok', webhook: 'ok' } }
  await eventually(async () => {
    const answer = await fetch(`${system.baseUrl}/health/ready`)
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'ok', checks }])
  })
})

describe('the main job: an order is placed, progresses, and its signed webhooks arrive', () => {
  let merchant: SignedUp
  let api: Api
  let secret: string
  let orderId: string
  let trackingToken: string

  const story = [
    ['order.created', 'pending'],
    ['order.rider_assigned', 'accepted'],
    ['order.accepted', 'accepted'],
    ['order.picked_up', 'picked_up'],
    ['order.status_updated', 'picked_up'],
    ['order.delivered', 'delivered'],
    ['order.status_updated', 'delivered'],
  ]

  test('a merchant signs up, logs in and creates a test key of its own', async () => {
    merchant = await signUp(system.baseUrl)
    const created = await merchant.owner.post('/v1/me/api-keys', { label: 'rehearsal', is_test: true })
    expect(created.status).toBe(201)
    expect(created.body.api_key).toMatch(/^svc_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/)
    api = new Api(system.baseUrl).bearing(created.body.api_key)
  })

  test('enabling the webhook without a secret returns a generated one, once', async () => {
    const patched = await api.patch('/v1/me/outbound-webhook', { url: target.url, enabled: true })
    expect(patched.status).toBe(200)
    expect(patched.body.outboundWebhookSecretConfigured).toBe(true)
    secret = patched.body.secret
    expect(secret.length).toBeGreaterThanOrEqual(24)
    const read = await api.get('/v1/me/outbound-webhook')
    expect(JSON.stringify(read.body)).not.toContain(secret)
  })

  test('an order is accepted as pending with a tracking link', async () => {
    const body = orderBody()
    const created = await api.post('/v1/orders', body)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      idempotent: false,
      order: { unified_json: { status: 'pending' }, is_test: true },
    })
    orderId = created.body.order.id
    trackingToken = created.body.order.tracking_token
    const again = await api.post('/v1/orders', body)
    expect([again.status, again.body.idempotent, again.body.order.id]).toEqual([200, true, orderId])
  })

  test('the simulator drives it to delivered', async () => {
    for (const [action, status] of [
      ['accept', 'accepted'],
      ['pickup', 'picked_up'],
      ['deliver', 'delivered'],
    ]) {
      const acted = await api.post('/v1/test/simulator/rider-action', { order_id: orderId, action })
      expect([acted.status, acted.body.status, acted.body.changed]).toEqual([200, status, true])
    }
  })

  test('every event arrives once, in a gapless sequence, signed over the exact bytes', async () => {
    await eventually(() => target.requests.length >= story.length)
    const received = target.requests
      .map((request) => ({ request, envelope: JSON.parse(request.body.toString()) }))
      .toSorted((a, b) => a.envelope.sequence - b.envelope.sequence)
    expect(received.map(({ envelope }) => [envelope.event, envelope.order.unified_json.status])).toEqual(story)
    expect(received.map(({ envelope }) => envelope.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(new Set(received.map(({ envelope }) => envelope.event_id)).size).toBe(story.length)
    for (const { request, envelope } of received) {
      expect(request.headers['x-service-signature']).toBe(`v1=${opensslHmac(secret, request.body)}`)
      expect(request.headers['x-service-event']).toBe(envelope.event)
      expect(request.headers['x-service-environment']).toBe('test')
      expect(envelope).toMatchObject({ merchant_id: merchant.merchantId, order: { id: orderId, is_test: true } })
    }
    const assigned = received[1]?.envelope
    expect(assigned.rider).toMatchObject({ vehicle_type: 'motorcycle' })
  })

  test('the delivery list, the event log and the tracking page tell the same story', async () => {
    const deliveries = await eventually(async () => {
      const list = await api.get(`/v1/me/outbound-webhook/deliveries?order_id=${orderId}`)
      return list.body.items.every((item: { status: string }) => item.status === 'succeeded') && list
    })
    expect(deliveries.body.total).toBe(story.length)
    const log = await api.get(`/v1/events?order_id=${orderId}`)
    expect(log.body.events.map((e: { event: string }) => e.event)).toEqual(story.map(([event]) => event))
    for (const path of [`/v1/tracking/${trackingToken}`, `/v1/public/tracking/${trackingToken}`]) {
      const page = await new Api(system.baseUrl).get(path)
      expect([page.status, page.body.status]).toEqual([200, 'delivered'])
      expect(JSON.stringify(page.body)).not.toContain('+234')
    }
  })

  test('an automatic order with no step delay is delivered within a second, every event in order', async () => {
    const before = target.requests.length
    const { standardized } = orderBody()
    const started = await api.post('/v1/test/simulator/orders/auto', {
      external_order_id: `auto-${orderId}`,
      pickup_address: standardized.pickup_address,
      dropoff_address: standardized.dropoff_address,
      customer_name: standardized.customer_name,
      customer_phone: standardized.customer_phone,
      step_delay_ms: 0,
    })
    expect([started.status, started.body.ok, started.body.timeline.length]).toEqual([201, true, 4])
    await eventually(() => target.requests.length >= before + story.length)
    const envelopes = target.requests.slice(before).map((r) => JSON.parse(r.body.toString()))
    expect(envelopes.toSorted((a, b) => a.sequence - b.sequence).map((e) => e.event)).toEqual(
      story.map(([event]) => event),
    )
  })

  test('a second tenant sees none of it', async () => {
    const stranger = await signUp(system.baseUrl)
    expect((await stranger.test.get(`/v1/orders/${orderId}`)).status).toBe(404)
    expect((await stranger.test.post(`/v1/orders/${orderId}/cancel`, { reason: 'other' })).status).toBe(404)
    expect((await stranger.test.get('/v1/orders')).body).toMatchObject({ orders: [], total: 0 })
    expect((await stranger.test.get('/v1/events')).body.events).toEqual([])
  })
})
