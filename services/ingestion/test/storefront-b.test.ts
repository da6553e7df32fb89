import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { onceAvailable } from '@svc/testing'
import { type IntakeMesh, intakeMesh, type Shop } from './intake-mesh.ts'

/** Of days ago: what was told so long ago that nobody remembers is another matter. */
const DAY = new Date(Date.now() - 4 * 86_400_000).toISOString().slice(0, 10)

let mesh: IntakeMesh
let shop: Shop
beforeAll(async () => {
  mesh = await intakeMesh()
  shop = await mesh.shop()
})
afterAll(() => mesh.stop())

const newId = () => randomInt(1, 2 ** 47)

/** An order as the storefront tells of it. */
const orderBody = (id: number, changes: Record<string, unknown> = {}) =>
  JSON.stringify({
    id,
    number: String(id),
    status: 'processing',
    currency: 'NGN',
    total: '15500.50',
    date_created_gmt: `${DAY}T09:00:00`,
    date_modified_gmt: `${DAY}T09:00:00`,
    date_paid: `${DAY}T10:01:00`,
    date_paid_gmt: null,
    payment_method: 'bacs',
    billing: {
      first_name: 'Adaeze',
      last_name: 'Okoro',
      address_1: '1 Marina Road',
      city: 'Lagos',
      state: 'LA',
      country: 'NG',
      phone: '08031234567',
    },
    shipping: {
      first_name: 'Bola',
      last_name: 'Ade',
      address_1: '4 Admiralty Way',
      city: 'Lekki',
      country: 'NG',
      phone: '',
    },
    line_items: [
      { name: 'Jollof rice', quantity: 2, sku: 77, total: '15000.50', price: 7500.25 },
      { name: 'Rice by weight', quantity: 1.5, sku: null, total: '500.00', price: 333.3333333333 },
    ],
    customer_note: 'Ring twice',
    ...changes,
  })

const tell = async (id: number, changes: Record<string, unknown> = {}, topic = 'order.updated') =>
  mesh.judged((await mesh.storefrontB(shop, { body: orderBody(id, changes), topic })).id)

const orderOf = async (orderId: string | null) =>
  (await mesh.orders(shop.merchantId).getOrder({ id: orderId ?? '' })).order!

test('a secret with entities in it verifies what the storefront signs with the characters that they stand for', async () => {
  const other = await mesh.shop()
  const half = randomUUID()
  await mesh.put(other, 'storefront-b', { secret: `Tom &amp; Jerry&#039;s ${half}` })
  const body = orderBody(newId())
  expect(await mesh.storefrontB(other, { body, secret: `Tom & Jerry's ${half}` })).toMatchObject({ status: 'accepted' })
})

describe('an order of a storefront', () => {
  test('becomes one of its merchant', async () => {
    const id = newId()
    const job = await tell(id, {}, 'order.created')
    expect(job).toMatchObject({ status: 'succeeded', error: null })
    const order = await orderOf(job.order_id)
    expect(order).toMatchObject({ source: 'storefront-b', external_order_id: String(id), payment_verified: true })
    expect(JSON.parse(order.unified_json).standardized).toMatchObject({
      dropoff_address: '4 Admiralty Way, Lekki, NG',
      customer_name: 'Bola Ade',
      customer_phone: '+2348031234567',
      notes: `#${id}\nRing twice`,
      items: [
        { name: 'Jollof rice', quantity: 2, sku: '77', unit_price_minor: 750_025, currency: 'NGN' },
        { name: 'Rice by weight', quantity: 2 },
      ],
    })
  })

  test('goes to the billing address where it has no other', async () => {
    const empty = { first_name: '', last_name: '', address_1: '', city: '', country: '' }
    const order = await orderOf((await tell(newId(), { shipping: empty })).order_id)
    expect(JSON.parse(order.unified_json).standardized).toMatchObject({
      dropoff_address: '1 Marina Road, Lagos, LA, NG',
      customer_name: 'Adaeze Okoro',
    })
  })

  test('that is paid at the door says what the rider collects', async () => {
    const cash = { payment_method: 'cod', date_paid: null }
    const order = await orderOf((await tell(newId(), cash)).order_id)
    expect(order.payment_verified).toBe(false)
    expect(JSON.parse(order.unified_json).standardized).toMatchObject({
      cod_amount_minor: 1_550_050,
      cod_currency: 'NGN',
    })
  })

  test('that waits for its payment is paid by a later hook', async () => {
    const id = newId()
    const { order_id } = await tell(id, { status: 'on-hold', date_paid: null }, 'order.created')
    expect(await orderOf(order_id)).toMatchObject({ payment_verified: false, status: 'pending' })
    expect(await tell(id, { date_modified_gmt: `${DAY}T09:05:00` })).toMatchObject({ order_id })
    expect((await orderOf(order_id)).payment_verified).toBe(true)
  })

  test.each(['cancelled', 'refunded', 'trash'])('is cancelled when it is %s', async (status) => {
    const id = newId()
    const { order_id } = await tell(id)
    expect(await tell(id, { status, date_modified_gmt: `${DAY}T09:05:00` })).toMatchObject({ outcome: 'cancel' })
    expect((await orderOf(order_id)).status).toBe('cancelled')
  })

  test('is cancelled when it is deleted', async () => {
    const id = newId()
    const { order_id } = await tell(id)
    const { id: hook } = await mesh.storefrontB(shop, { body: `{"id":${id}}`, topic: 'order.deleted' })
    expect(await mesh.judged(hook)).toMatchObject({ status: 'succeeded', order_id })
    expect((await orderOf(order_id)).status).toBe('cancelled')
  })

  test.each([
    ['that is completed elsewhere', { status: 'completed' }, 'ignored', 'order_not_known'],
    ['that is a draft', { status: 'checkout-draft' }, 'ignored', 'draft'],
    ['of a status that nobody knows', { status: 'wc-on-a-boat' }, 'failed', 'unknown_status'],
    ['without an address', { shipping: {}, billing: { phone: '08031234567' } }, 'failed', 'missing_address'],
    ['without a phone', { billing: { address_1: '1 Marina Road', phone: '' } }, 'failed', 'missing_phone'],
  ])('%s is not made', async (_what, changes, status, error) => {
    expect(await tell(newId(), changes)).toMatchObject({ status, error, order_id: null })
  })

  test('of another merchant under the same small number is another order', async () => {
    const [id, other] = [newId(), await mesh.shop()]
    const { order_id } = await tell(id)
    const { id: hook } = await mesh.storefrontB(other, { body: orderBody(id) })
    const job = await mesh.judged(hook)
    expect(job.status).toBe('succeeded')
    expect(job.order_id).not.toBe(order_id)
  })
})

describe('what comes', () => {
  test('as the storefront’s own try of the address, unsigned, is ignored and kept nowhere', async () => {
    const ping = (body: string, headers = {}) =>
      mesh.receive({ channel: 'storefront-b', merchantId: randomUUID(), headers, body: Buffer.from(body) })
    expect(await ping('webhook_id=142')).toEqual({ id: undefined, status: 'ignored', reason: 'ping', signer: '' })
    for (const other of ['webhook_id=142&id=1', '{"webhook_id":142}', 'webhook_id=', ''])
      await expect(ping(other)).rejects.toMatchObject({ code: 'invalid_signature' })
    const signed = { 'x-storefront-b-signature': 'A'.repeat(43) + '=' }
    await expect(ping('webhook_id=142', signed)).rejects.toMatchObject({ code: 'invalid_signature' })
  })

  test('fifty times at once is one hook and one order', async () => {
    const body = orderBody(newId())
    const sent = await Promise.all(
      Array.from({ length: 50 }, () => onceAvailable(() => mesh.storefrontB(shop, { body }))),
    )
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect(await mesh.judged(sent[0]?.id)).toMatchObject({ status: 'succeeded' })
  })

  test('with bytes as another language writes them verifies over these bytes', async () => {
    const body = orderBody(newId(), { customer_note: 'Ọlá' }).replace('Ọlá', '\\u1eccl\\u00e1 \\/')
    expect(await mesh.storefrontB(shop, { body })).toMatchObject({ status: 'accepted' })
  })

  test('with another merchant’s secret is refused', async () => {
    const other = await mesh.shop()
    await expect(mesh.storefrontB(shop, { body: orderBody(newId()), secret: other.secret })).rejects.toMatchObject({
      code: 'invalid_signature',
    })
  })

  test.each(['product.created', 'coupon.updated', 'action.my_hook'])('of %s is ignored', async (topic) => {
    const sent = await mesh.storefrontB(shop, { body: JSON.stringify({ id: newId() }), topic })
    expect(sent).toMatchObject({ status: 'ignored', reason: 'event_not_used' })
  })
})
