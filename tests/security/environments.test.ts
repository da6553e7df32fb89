import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, type Receiver, receiver } from '@svc/testing'
import { joinFleet, newPhone, PICKUP, placed, type TestRider } from '../journeys/fleet.ts'
import { Api, answered, orderBody, type Reply } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'
import { type Trading, tradingMerchant, type World, world } from './world.ts'

let the: World
let merchant: Trading
let member: TestRider
let shop: Receiver
let thief: Receiver

beforeAll(async () => {
  the = await world()
  ;[shop, thief] = await Promise.all([receiver(), receiver()])
  merchant = await tradingMerchant(the)
  answered(200, await merchant.live.patch('/v1/me/outbound-webhook', { url: shop.url, enabled: true }))
  member = await joinFleet({ ...the, live: merchant.live }, 'Ife Live', 0.01)
  await topUp(the.system, merchant.live, 10_000_000)
})

afterAll(async () => {
  await Promise.all([shop?.close(), thief?.close()])
})

const seen = ({ status, body }: Reply) => [status, body]
const LIVE_MODE = [403, { error: 'forbidden', details: { reason: 'live_mode_required' } }]

describe('nothing that a test credential sends changes or shows what is live', () => {
  test('the endpoint that it sets is the sandbox one: live orders go where they went', async () => {
    const before = answered(200, await merchant.live.get('/v1/me/outbound-webhook')).body
    const patched = await merchant.test.patch('/v1/me/outbound-webhook', { url: thief.url, enabled: true })
    expect(patched.status).toBe(200)
    const rotated = await merchant.test.post('/v1/me/outbound-webhook/rotate-secret')
    expect(rotated.status).toBe(200)
    expect(answered(200, await merchant.live.get('/v1/me/outbound-webhook')).body).toMatchObject({
      url: before.url,
      enabled: true,
      updated_at: before.updated_at,
    })

    const live = answered(201, await merchant.live.post('/v1/orders', placed())).body.order.id as string
    const tried = answered(201, await merchant.test.post('/v1/orders', orderBody())).body.order.id as string
    const told = (target: Receiver, orderId: string) =>
      target.requests.some(({ body }) => body.toString().includes(orderId))
    await eventually(async () => told(shop, live) && told(thief, tried))
    expect(told(thief, live)).toBe(false)
    expect(told(shop, tried)).toBe(false)
  })

  test('secrets of channels, invites and the fleet are live settings', async () => {
    expect(
      seen(await merchant.test.send('PUT', '/v1/me/ingestion/payments-a', { secret: 'x'.repeat(32) })),
    ).toMatchObject(LIVE_MODE)
    expect(seen(await merchant.test.post('/v1/me/fleet/invite-codes', {}))).toMatchObject(LIVE_MODE)
    expect(seen(await merchant.test.delete(`/v1/me/fleet/riders/${member.id}`))).toMatchObject(LIVE_MODE)
  })

  test('live riders are riders of nobody to it', async () => {
    const point = { lat: PICKUP.lat, lng: PICKUP.lng }
    expect((await merchant.test.patch(`/v1/riders/${member.id}/online`, { is_online: false })).status).toBe(404)
    expect((await merchant.test.post(`/v1/riders/${member.id}/location`, point)).status).toBe(404)
    expect((await merchant.test.get(`/v1/me/riders/${member.id}/location/history`)).status).toBe(404)
    const near = await merchant.test.get(`/v1/me/riders/near?lat=${point.lat}&lng=${point.lng}&metres=100000&limit=100`)
    expect(JSON.stringify(answered(200, near).body)).not.toContain(member.id)
  })

  test('it sends no SMS', async () => {
    const phone = newPhone()
    const sent = async () => {
      const { body } = await new Api(the.system.providersUrl).get('/__control/outbox')
      return body.items.filter(({ to }: { to: string }) => [phone, member.phone].includes(to)).length
    }
    const before = await sent()
    const asked = await merchant.test.post(`/v1/riders/${member.id}/phone-otp/request`, { phone })
    expect(asked.status).toBe(404)
    expect(await sent()).toBe(before)
  })
})
