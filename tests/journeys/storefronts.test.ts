import { createHmac, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { publishedBodies } from '@svc/testing/published-bodies'
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

/** What the topic of a published body is. */
const topicOfA = (file: string): string => {
  if (/redact|data_request/.test(file)) return file.replace('.json', '').replace('-', '/')
  if (file.startsWith('app-')) return 'app/uninstalled'
  if (file.startsWith('fulfillment')) return 'fulfillments/create'
  if (file.startsWith('refunds')) return 'refunds/create'
  if (/^orders?-edited/.test(file)) return 'orders/edited'
  return file.startsWith('orders-delete') ? 'orders/delete' : 'orders/updated'
}
const topicOfB = (file: string): string => {
  if (file.startsWith('action')) return 'action.my_hook'
  return file.startsWith('order.deleted') ? 'order.deleted' : 'order.updated'
}

const ofA = publishedBodies('storefront-a')
const ofB = publishedBodies('storefront-b')

;(ofA.arePresent ? describe : describe.skip)('each published body', () => {
  test.each([
    ['storefront-a', ofA, toA, topicOfA],
    ['storefront-b', ofB, toB, topicOfB],
  ] as const)(
    'of %s is taken, and is an order, ignored or a dead letter with a reason',
    async (folder, { files, read }, send, topicOfName) => {
      const topicOf = (file: string) => topicOfName(file.slice(folder.length + 1))
      const bodies = files.filter((name) => /\.(json|body)$/.test(name))
      expect(bodies.length).toBeGreaterThan(15)
      const outcomes: Record<string, string> = {}
      for (const file of bodies) {
        const body = read(file)
        const sent = await eventually(async () => answered(200, await send(body, topicOf(file))))
        if (sent.body.status !== 'accepted') outcomes[file] = sent.body.status
        else {
          const { status, error } = await judged(sent.body.id)
          outcomes[file] = error ?? status
          expect([file, ['succeeded', 'ignored', 'failed'].includes(status)]).toEqual([file, true])
          if (status === 'failed') expect([file, error]).not.toEqual([file, 'internal_error'])
        }
        expect([file, (await send(body, topicOf(file))).body.status]).toEqual([file, 'duplicate'])
      }
      // Shops all over the world are served in Lagos alone: what most come to is a reason.
      expect(Object.values(outcomes).every((outcome) => /^\w+$/.test(outcome))).toBe(true)
    },
  )

  test('of a ping is answered 200, without a signature', async () => {
    const path = `/webhooks/storefront-b/${randomUUID()}`
    const ping = ofB.read('storefront-b/ping.txt')
    const sent = await new Api(system.baseUrl).send('POST', path, ping, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect([sent.status, sent.body]).toEqual([200, { received: true, status: 'ignored', id: null, reason: 'ping' }])
  })
})
