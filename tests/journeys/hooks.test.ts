import { createHmac, randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, type Receiver, receiver, sharedMesh } from '@svc/testing'
import { Api, answered, type Reply, type SignedUp, signUp } from './merchant.ts'
import { PATIENTLY, topUp } from './money.ts'

const system = sharedMesh('journeys')
const secret = `secret-${randomUUID()}`
const domain = `${randomUUID()}.example.com`
const double = new Api(system.providersUrl)
let target: Receiver
let merchant: SignedUp

beforeAll(async () => {
  target = await receiver()
  merchant = await signUp(system.baseUrl)
  await topUp(system, merchant.owner, 10_000_000)
  answered(200, await merchant.test.patch('/v1/me/outbound-webhook', { url: target.url, enabled: true }))
  const pickup = { address: '12 Marina Road, Lagos' }
  for (const [channel, more] of [
    ['storefront-a', { secret, shop_domain: domain }],
    ['payments-a', {}],
    ['messaging-a', {}],
  ] as const)
    await eventually(async () =>
      answered(200, await merchant.owner.send('PUT', `/v1/me/ingestion/${channel}`, { pickup, ...more })),
    )
})
afterAll(() => target?.close())

/** Lets the double of a third party send a hook, signed; ends with what it was answered. */
async function emitted(provider: string, body: object): Promise<{ received: boolean; status: string; id: string }> {
  const order = { provider, body: JSON.stringify(body), sign: 'good' }
  const { deliveries } = answered(200, await double.post('/__control/emit', order)).body
  expect(deliveries).toMatchObject([{ status: 200 }])
  const [{ body: answer }] = deliveries
  return typeof answer === 'string' ? JSON.parse(answer) : answer
}

async function orderUnder(source: string, externalId: string, api: Api = merchant.owner): Promise<Reply['body']> {
  return eventually(async () => {
    const { orders } = answered(200, await api.get('/v1/orders?limit=200')).body
    const found = orders.filter(
      (order: Record<string, unknown>) => order['source'] === source && order['external_order_id'] === externalId,
    )
    expect(found.length).toBeLessThanOrEqual(1)
    return found[0] ?? false
  }, PATIENTLY)
}

test('an order of a shop is brought to the door, and its merchant hears of each step', async () => {
  const id = `8209${randomInt(1e7, 1e8)}${randomInt(100_000, 999_999)}`
  const body = Buffer.from(
    `{"id":${id},"test":true,"financial_status":"paid","updated_at":"2026-11-20T10:00:00Z","line_items":[{"title":"Rice",` +
      `"quantity":1}],"shipping_address":{"address1":"4 Admiralty Way","city":"Lekki","phone":"+2348031234567"}}`,
  )
  const headers = {
    'x-storefront-a-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
    'x-storefront-a-shop-domain': domain,
    'x-storefront-a-topic': 'orders/create',
  }
  // A merchant that has just signed up is known there a moment later.
  await eventually(async () =>
    answered(200, await new Api(system.baseUrl).send('POST', '/webhooks/storefront-a', body, headers)),
  )
  const order = await orderUnder('storefront-a', id, merchant.test)
  for (const action of ['accept', 'pickup', 'deliver'])
    answered(200, await merchant.test.post('/v1/test/simulator/rider-action', { order_id: order.id, action }))

  const told = () =>
    target.requests
      .map((request) => request.json() as { event: string; sequence: number; order: { id: string; status: string } })
      .filter((event) => event.order?.id === order.id)
  await eventually(() => told().length >= 7)
  const story = told().toSorted((one, other) => one.sequence - other.sequence)
  expect(story.map(({ event }) => event)).toEqual([
    'order.created',
    'order.rider_assigned',
    'order.accepted',
    'order.picked_up',
    'order.status_updated',
    'order.delivered',
    'order.status_updated',
  ])
  const read = answered(200, await merchant.test.get(`/v1/orders/${order.id}`)).body.order
  expect(read.unified_json).toMatchObject({ status: 'delivered', payment_verified: true })
})

describe('a payment to the platform', () => {
  const charge = (reference: string, metadata: unknown) => ({
    event: 'charge.success',
    data: {
      reference,
      domain: 'test',
      status: 'success',
      amount: 2_110_150,
      currency: 'NGN',
      paid_at: '2026-11-20T10:00:00.000Z',
      customer: { first_name: 'Ada', last_name: 'Okafor', phone: '08031234567' },
      metadata,
    },
  })

  test('whose checkout has written a delivery into it is one paid order, and no balance', async () => {
    const balance = async () => answered(200, await merchant.owner.get('/v1/me/wallet')).body.wallet.balance_minor
    const [reference, before] = [`shop-${randomUUID()}`, await balance()]
    const custom_fields = [
      { display_name: 'Delivery address', variable_name: 'delivery_address', value: '14 Adeola Odeku Street, Lagos' },
    ]
    const body = charge(reference, JSON.stringify({ merchant_id: merchant.merchantId, custom_fields }))
    expect(await emitted('payments-a', body)).toMatchObject({ status: 'accepted' })
    expect(await emitted('payments-a', body)).toMatchObject({ status: 'duplicate' })
    // Of the provider's test mode.
    const order = await orderUnder('payments-a', reference, merchant.test)
    expect(order.unified_json).toMatchObject({
      payment_verified: true,
      standardized: { dropoff_address: '14 Adeola Odeku Street, Lagos', customer_name: 'Ada Okafor' },
    })
    expect(await balance()).toBe(before)
  })

  test('for a top-up is balance, and no order, whatever its checkout says of one', async () => {
    const balance = async () => answered(200, await merchant.owner.get('/v1/me/wallet')).body.wallet.balance_minor
    const before = await balance()
    const intent = await merchant.owner.post('/v1/me/wallet/payments-a-topup-intent', { amount_minor: 2_110_150 })
    const { reference } = answered(201, intent).body
    const metadata = { merchant_id: merchant.merchantId, delivery_address: '14 Adeola Odeku Street, Lagos' }
    await emitted('payments-a', charge(reference, metadata))
    await eventually(async () => (await balance()) === before + 2_110_150, PATIENTLY)
    for (const api of [merchant.owner, merchant.test]) {
      const { orders } = answered(200, await api.get('/v1/orders?limit=200')).body
      expect(orders.filter((order: { external_order_id: string }) => order.external_order_id === reference)).toEqual([])
    }
  })
})

test('a conversation is an order once its customer says yes', async () => {
  const anyone = new Api(system.baseUrl)
  const minted = await anyone.post('/v1/admin/auth/token', { token: system.adminStaticToken })
  const operator = anyone.bearing(minted.body.access_token)
  const { slug } = answered(200, await operator.get(`/v1/admin/merchants/${merchant.merchantId}`)).body.merchant
  const [sender, opening] = [`23480${randomInt(10_000_000, 99_999_999)}`, `39052${Date.now()}${randomInt(1000, 9999)}`]
  const say = (message: string, message_id = `39053${Date.now()}${randomInt(1000, 9999)}`) =>
    emitted('messaging-a', {
      type: 'inbound',
      message_id,
      sender,
      receiver: '2348147386362',
      message,
      channel: 'whatsapp',
      status: 'Received',
    })
  const heard = (text: RegExp) =>
    eventually(async () => {
      const { items } = answered(200, await double.get('/__control/outbox')).body
      return items.some((item: { to: string; text: string }) => item.to === `+${sender}` && text.test(item.text))
    })
  await say(
    `Order_from_${slug} 2 jollof\nAddress: 14 Adeola Odeku St, Lagos\nName: Ada\nPhone: 08031234567\nTime: now`,
    opening,
  )
  await heard(/Reply YES/)
  await say('Yes')
  await heard(/is placed/)
  const order = await orderUnder('messaging-a', opening)
  expect(order.unified_json.standardized).toMatchObject({
    pickup_address: '12 Marina Road, Lagos',
    dropoff_address: '14 Adeola Odeku St, Lagos',
    customer_phone: '+2348031234567',
  })
})
