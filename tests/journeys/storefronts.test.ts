import { createHmac, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { Api, answered, type SignedUp, signUp } from './merchant.ts'
import { topUp } from './money.ts'

const system = sharedMesh('journeys')
const secret = `secret-${randomUUID()}`
const domain = `${randomUUID()}.example.com`
let merchant: SignedUp
let operator: Api

beforeAll(async () => {
  merchant = await signUp(system.baseUrl)
  await topUp(system, merchant.owner, 10_000_000)
  const anyone = new Api(system.baseUrl)
  const minted = await anyone.bearing(system.adminStaticToken).post('/v1/admin/auth/token')
  operator = anyone.bearing(minted.body.access_token)
  const settings = { secret, pickup: { address: '12 Marina Road, Lagos' }, lead_minutes: 60, window_minutes: 120 }
  for (const [channel, more] of [
    ['storefront-a', { shop_domain: domain }],
    ['storefront-b', {}],
  ] as const)
    await eventually(async () =>
      answered(200, await merchant.owner.send('PUT', `/v1/me/ingestion/${channel}`, { ...settings, ...more })),
    )
})

const sign = (body: Buffer) => createHmac('sha256', secret).update(body).digest('base64')

/** Posts a body as the first storefront would; a merchant that has just signed up is known a moment later. */
const toA = (body: Buffer, topic: string, signature = sign(body)) =>
  new Api(system.baseUrl).send('POST', '/webhooks/storefront-a', body, {
    'x-storefront-a-hmac-sha256': signature,
    'x-storefront-a-shop-domain': domain,
    'x-storefront-a-topic': topic,
    'x-storefront-a-webhook-id': randomUUID(),
  })

const toB = (body: Buffer, topic: string, signature = sign(body)) =>
  new Api(system.baseUrl).send('POST', `/webhooks/storefront-b/${merchant.merchantId}`, body, {
    'x-storefront-b-signature': signature,
    'x-storefront-b-topic': topic,
    'x-storefront-b-delivery-id': randomUUID(),
  })

async function jobs(): Promise<Array<{ id: string; status: string; error: string | null; order_id: string | null }>> {
  const path = `/v1/admin/normalization-jobs?limit=200&merchant_id=${merchant.merchantId}`
  return answered(200, await operator.get(path)).body.items
}

const judged = (id: string) =>
  eventually(async () => (await jobs()).find((job) => job.id === id && job.status !== 'pending') ?? false)

const anOrder = (id: string) =>
  Buffer.from(
    `{"id":${id},"financial_status":"paid","updated_at":"2026-11-20T10:00:00Z","line_items":[{"title":"Rice","quantity":1}],` +
      `"shipping_address":{"address1":"4 Admiralty Way","city":"Lekki","phone":"+2348031234567"}}`,
  )

describe('an order of a storefront', () => {
  test('is its merchant’s, read with every digit, moments after its hook was answered', async () => {
    const id = `82098291194${Math.floor(Math.random() * 9e6 + 1e6)}`
    const sent = await eventually(async () => answered(200, await toA(anOrder(id), 'orders/create')))
    expect(sent.body).toMatchObject({ received: true, status: 'accepted' })
    const job = await judged(sent.body.id)
    expect(job).toMatchObject({ status: 'succeeded', error: null })
    const read = answered(200, await merchant.owner.get(`/v1/orders/${job.order_id}`)).body.order
    expect(read).toMatchObject({ source: 'storefront-a', external_order_id: id })
    expect(read.unified_json.payment_verified).toBe(true)
    expect((await toA(anOrder(id), 'orders/create')).body).toMatchObject({ status: 'duplicate' })
  })

  test('that cannot be believed is refused, whatever is wrong', async () => {
    const body = anOrder('1')
    const wrong = sign(Buffer.from('other bytes'))
    for (const reply of [await toA(body, 'orders/create', wrong), await toB(body, 'order.created', wrong)])
      expect([reply.status, reply.body.error]).toEqual([401, 'invalid_signature'])
  })

  test('can be previewed by an operator, from an object or from its text', async () => {
    const asked = { channel: 'storefront-a', merchant_id: merchant.merchantId, topic: 'orders/create' }
    const text = anOrder('820982911946154508').toString()
    for (const payload of [text, JSON.parse(anOrder('82098291194').toString())]) {
      const { body } = answered(200, await operator.post('/v1/admin/normalize-preview', { ...asked, payload }))
      expect(body).toMatchObject({
        outcome: 'order',
        reason: null,
        order: { source: 'storefront-a', standardized: { dropoff_address: '4 Admiralty Way, Lekki' } },
      })
    }
  })
})
