import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import { eventually, type ReceivedRequest, type Receiver, receiver, sharedMesh } from '@svc/testing'
import { openRateCard, operatorOf, placed } from './fleet.ts'
import { Api, answered, orderBody, type SignedUp, signUp } from './merchant.ts'

const system = sharedMesh('journeys')
/** A key has 60 calls a minute. */
const SELDOM = { intervalMs: 1_000 }
const LATER_MS = 600_000

let merchant: SignedUp
let target: Receiver
let api: Api
beforeAll(async () => {
  merchant = await signUp(system.baseUrl)
  await openRateCard(await operatorOf(system), merchant.merchantId)
})

/** A key and a receiver of its own for each test. */
beforeEach(async () => {
  const { body } = answered(201, await merchant.owner.post('/v1/me/api-keys', { is_test: true }))
  api = new Api(system.baseUrl).bearing(body.api_key)
  target = await receiver()
  const endpoint = { url: target.url, secret: 'at-least-sixteen-characters', enabled: true }
  answered(200, await api.patch('/v1/me/outbound-webhook', endpoint))
  answered(200, await api.send('PUT', '/v1/test/webhook-faults', { faults: [] }))
})
afterEach(() => target?.close())

const placeOrder = async (body: object = orderBody()): Promise<string> =>
  answered(201, await api.post('/v1/orders', body)).body.order.id
const advance = async (seconds: number) => answered(200, await api.post('/v1/test/clock/advance', { seconds }))
const fault = async (kind: string, events: string[] = ['order.created']) =>
  answered(200, await api.send('PUT', '/v1/test/webhook-faults', { faults: [{ kind, events, delay_ms: LATER_MS }] }))

const about = (orderId: string) => target.requests.filter(({ body }) => body.includes(orderId))
const events = (orderId: string) => about(orderId).map(({ headers }) => headers['x-service-event'])
const arrived = (orderId: string, event = 'order.created'): Promise<ReceivedRequest> =>
  target.waitFor(({ headers, body }) => headers['x-service-event'] === event && body.includes(orderId))

/** The delivery of order.created as the log shows it, once that is so. */
const logged = (orderId: string, is: object) =>
  eventually(async () => {
    const { body } = answered(200, await api.get(`/v1/me/outbound-webhook/deliveries?order_id=${orderId}`))
    const created = body.items.find(({ event }: { event: string }) => event === 'order.created')
    expect(created).toMatchObject(is)
    return created as { attempts: number }
  }, SELDOM)

describe('a fault of webhooks', () => {
  test('drop: the first attempt is lost, and the clock brings the retry', async () => {
    await fault('drop')
    const orderId = await placeOrder()
    await logged(orderId, { fault: 'drop', attempts: 1, status: 'pending' })
    expect(events(orderId)).toEqual([])
    await advance(30)
    await arrived(orderId)
    await logged(orderId, { fault: 'drop', attempts: 2, status: 'succeeded' })
  })

  test('delay: nothing arrives before its time, which the clock brings', async () => {
    await fault('delay')
    const orderId = await placeOrder()
    await logged(orderId, { fault: 'delay', attempts: 0, status: 'pending' })
    await advance(LATER_MS / 1_000)
    await arrived(orderId)
    await logged(orderId, { fault: 'delay', attempts: 1, status: 'succeeded' })
  })

  test('duplicate: the same event arrives twice', async () => {
    await fault('duplicate')
    const orderId = await placeOrder()
    await logged(orderId, { fault: 'duplicate', attempts: 1, status: 'succeeded' })
    const twice = about(orderId).map(({ body }) => JSON.parse(body.toString()).event_id)
    expect(twice).toHaveLength(2)
    expect(new Set(twice).size).toBe(1)
  })

  test('reorder: a later event arrives first', async () => {
    await fault('reorder')
    const orderId = await placeOrder()
    await logged(orderId, { fault: 'reorder', attempts: 0, status: 'pending' })
    answered(200, await api.post('/v1/test/simulator/rider-action', { order_id: orderId, action: 'accept' }))
    await arrived(orderId)
    expect(events(orderId)).not.toHaveLength(1)
    expect(events(orderId)[0]).not.toBe('order.created')
  })
})

describe('time that passes', () => {
  test('fires every retry of a webhook until it is dead, whatever the schedule', async () => {
    target.respond(() => ({ status: 500 }))
    const orderId = await placeOrder()
    for (let attempts = 1; attempts < 5; attempts++) {
      await logged(orderId, { attempts, status: 'pending' })
      // Failed attempt n is repeated after 30 s, doubled each time.
      await advance(30 * 2 ** (attempts - 1))
    }
    await logged(orderId, { attempts: 5, status: 'dead' })
    expect(events(orderId)).toHaveLength(5)
  })

  test('ends an offer that nobody answers', async () => {
    const orderId = await placeOrder(placed())
    const offers = async (): Promise<Array<{ id: string; status: string }>> => {
      const { body } = answered(200, await api.get(`/v1/orders/${orderId}/dispatch-trace`))
      return body.rounds.flatMap((round: { offers: object[] }) => round.offers)
    }
    const { id } = await eventually(
      async () => (await offers()).find(({ status }) => status === 'pending') ?? false,
      SELDOM,
    )
    await advance(30)
    await eventually(async () => (await offers()).find((offer) => offer.id === id)?.status === 'expired', SELDOM)
  })

  test('ends the time of a secret that was replaced', async () => {
    // Of the two versions this one tells how many secrets signed.
    answered(200, await api.patch('/v1/me/outbound-webhook', { signature_version: 'v2' }))
    answered(200, await api.post('/v1/me/outbound-webhook/rotate-secret'))
    const signatures = async () => {
      const { headers } = await arrived(await placeOrder())
      return String(headers['x-service-signature']).match(/v2=/g)?.length
    }
    expect(await signatures()).toBe(2)
    await advance(86_400)
    await eventually(async () => (await signatures()) === 1, { intervalMs: 2_000 })
  })

  test('leaves the code of a test order good, which never expires', async () => {
    const orderId = await placeOrder()
    for (const action of ['accept', 'pickup'])
      answered(200, await api.post('/v1/test/simulator/rider-action', { order_id: orderId, action }))
    const minted = answered(200, await api.post('/v1/auth/rider/token', { rider_id: SANDBOX_RIDER.id })).body
    const rider = api.bearing(minted.access_token)
    answered(200, await rider.post(`/v1/riders/me/orders/${orderId}/pod-otp/request`, {}))
    await advance(86_400)
    const wrong = answered(400, await rider.post(`/v1/riders/me/orders/${orderId}/pod-otp/verify`, { code: '123456' }))
    expect(wrong.body.error).toBe('invalid_otp')
    const proof = await rider.post(`/v1/riders/me/orders/${orderId}/pod-otp/verify`, { code: '000000' })
    expect(answered(200, proof).body.order.unified_json.status).toBe('delivered')
  })
})
