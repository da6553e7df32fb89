import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, onceAvailable } from '@svc/testing'
import { type IntakeMesh, intakeMesh, type Shop } from './intake-mesh.ts'

let mesh: IntakeMesh
let shop: Shop
beforeAll(async () => {
  mesh = await intakeMesh()
  shop = await mesh.shop()
})
afterAll(() => mesh.stop())

/** Of days ago: what was told so long ago that nobody remembers is another matter. */
const DAY = new Date(Date.now() - 4 * 86_400_000).toISOString().slice(0, 10)

/** Beyond what a double holds. */
const newId = () => `8209${randomInt(1e7, 1e8 - 1)}${randomInt(100_000, 999_999)}`

/** An order as the storefront tells of it; its id is written digit for digit. */
function orderBody(id: string, changes: Record<string, unknown> = {}): string {
  const body = {
    admin_graphql_api_id: `gid://store/Order/${id}`,
    name: '#1001',
    updated_at: `${DAY}T10:00:00+01:00`,
    financial_status: 'paid',
    currency: 'NGN',
    total_price: '15500.50',
    line_items: [
      { title: 'Jollof rice', quantity: 2, price: '7500.25', grams: 600, sku: 'J-1', requires_shipping: true },
      { title: 'Gift card', quantity: 1, price: '500.00', grams: 0, requires_shipping: false },
    ],
    shipping_address: {
      name: 'Adaeze Okoro',
      address1: '4 Admiralty Way',
      city: 'Lekki',
      country: 'Nigeria',
      country_code: 'NG',
      phone: '0803 123 4567',
      latitude: 6.44,
      longitude: '3.47',
    },
    ...changes,
  }
  return JSON.stringify(body).replace('{', `{"id":${id},`)
}

const tell = async (id: string, changes: Record<string, unknown> = {}, topic = 'orders/create') =>
  mesh.judged((await mesh.storefrontA(shop, { body: orderBody(id, changes), topic })).id)

const orderOf = async (orderId: string | null, isTest = false) =>
  (await mesh.orders(shop.merchantId, isTest).getOrder({ id: orderId ?? '' })).order!

describe('an order of a storefront', () => {
  test('becomes one of its merchant, with every digit of its id, its pickup and its times', async () => {
    const id = newId()
    const before = Date.now()
    const job = await tell(id)
    expect(job).toMatchObject({ status: 'succeeded', error: null, outcome: 'order' })
    const order = await orderOf(job.order_id)
    expect(order).toMatchObject({
      source: 'storefront-a',
      external_order_id: id,
      status: 'pending',
      payment_verified: true,
      is_test: false,
    })
    expect(order.unified_json).toContain(`"raw_payload":{"id":${id},`)
    const { standardized } = JSON.parse(order.unified_json)
    expect(standardized).toMatchObject({
      pickup_address: '12 Marina Road, Lagos',
      dropoff_address: '4 Admiralty Way, Lekki, Nigeria',
      dropoff_lat: 6.44,
      dropoff_lng: 3.47,
      customer_name: 'Adaeze Okoro',
      customer_phone: '+2348031234567',
      weight_kg: 1.2,
      items: [{ name: 'Jollof rice', quantity: 2, sku: 'J-1', unit_price_minor: 750_025, currency: 'NGN' }],
      notes: '#1001',
    })
    const leadMs = Date.parse(standardized.scheduled_pickup_at) - before
    expect(leadMs).toBeGreaterThanOrEqual(90 * 60_000 - 60_000)
    expect(Date.parse(standardized.delivery_window_end) - Date.parse(standardized.delivery_window_start)).toBe(
      7_200_000,
    )
    expect(standardized).not.toHaveProperty('cod_amount_minor')
  })

  test('of its test mode is a test order', async () => {
    const job = await tell(newId(), { test: true })
    expect((await orderOf(job.order_id, true)).is_test).toBe(true)
  })

  test('that is paid at the door says what the rider collects, and is not paid', async () => {
    const cash = { financial_status: 'pending', payment_gateway_names: ['Cash on Delivery (COD)'] }
    const order = await orderOf((await tell(newId(), { ...cash, total_outstanding: '8.2' })).order_id)
    expect(order.payment_verified).toBe(false)
    expect(JSON.parse(order.unified_json).standardized).toMatchObject({ cod_amount_minor: 820, cod_currency: 'NGN' })
  })

  test('that is not paid waits, and is paid once the storefront says so', async () => {
    const id = newId()
    const { order_id } = await tell(id, { financial_status: 'authorized' })
    expect(await orderOf(order_id)).toMatchObject({ payment_verified: false, status: 'pending' })
    const paid = await tell(id, { updated_at: `${DAY}T11:00:00+01:00` }, 'orders/paid')
    expect(paid).toMatchObject({ status: 'succeeded', order_id })
    expect((await orderOf(order_id)).payment_verified).toBe(true)
  })

  test('is left as it is by a hook that is older than what is known', async () => {
    const id = newId()
    const { order_id } = await tell(id)
    const late = await tell(id, { financial_status: 'pending', updated_at: `${DAY}T09:00:00+01:00` }, 'orders/updated')
    expect(late).toMatchObject({ status: 'ignored', error: 'stale' })
    expect((await orderOf(order_id)).payment_verified).toBe(true)
  })

  test('is left as it is by a body that was caught and is sent once more when nobody remembers it', async () => {
    const [id, longAgo] = [newId(), new Date(Date.now() - 31 * 86_400_000).toISOString()]
    const unpaid = { financial_status: 'pending', updated_at: longAgo }
    const { order_id } = await tell(id, unpaid)
    expect(await tell(id, {}, 'orders/paid')).toMatchObject({ status: 'succeeded', order_id })
    // Hooks are forgotten after thirty days.
    await mesh.ingestion.sql(
      `DELETE FROM inbound_hooks WHERE id IN (SELECT id FROM normalization_jobs WHERE external_order_id = $1)`,
      [id],
    )
    expect(await tell(id, unpaid)).toMatchObject({ status: 'succeeded', order_id })
    expect(await tell(id, { ...unpaid, cancelled_at: longAgo })).toMatchObject({ status: 'ignored', error: 'stale' })
    expect(await orderOf(order_id)).toMatchObject({ payment_verified: true, status: 'pending' })
  })

  test('is cancelled by its body, whatever the topic says', async () => {
    const id = newId()
    const { order_id } = await tell(id)
    const cancelled = {
      cancelled_at: `${DAY}T12:00:00+01:00`,
      cancel_reason: 'customer',
      updated_at: `${DAY}T12:00:00+01:00`,
    }
    expect(await tell(id, cancelled, 'orders/create')).toMatchObject({ status: 'succeeded', outcome: 'cancel' })
    const order = await orderOf(order_id)
    expect(order.status).toBe('cancelled')
    expect(JSON.parse(order.unified_json).cancellation).toMatchObject({
      reason: 'Cancelled at the storefront: customer',
      actor_type: 'provider',
    })
  })

  test('that was cancelled before it was told of is never made', async () => {
    const id = newId()
    const cancelled = { cancelled_at: `${DAY}T12:00:00Z`, updated_at: `${DAY}T12:00:00Z` }
    expect(await tell(id, cancelled, 'orders/cancelled')).toMatchObject({ status: 'ignored', error: 'order_not_known' })
    expect(await tell(id)).toMatchObject({ status: 'ignored', error: 'stale' })
    const made = (await mesh.ordersOf(shop.merchantId)).filter(({ external_order_id }) => external_order_id === id)
    expect(made).toEqual([])
  })

  test('is cancelled when it is deleted, but not by the body of an order under that topic', async () => {
    const id = newId()
    const { order_id } = await tell(id)
    expect(await tell(id, { updated_at: `${DAY}T10:30:00+01:00` }, 'orders/delete')).toMatchObject({
      outcome: 'order',
    })
    expect((await orderOf(order_id)).status).toBe('pending')
    const { id: hook } = await mesh.storefrontA(shop, { body: `{"id":${id}}`, topic: 'orders/delete' })
    expect(await mesh.judged(hook)).toMatchObject({ status: 'succeeded', outcome: 'cancel' })
    expect((await orderOf(order_id)).status).toBe('cancelled')
  })

  test('that has been delivered is not cancelled: a dead letter says so', async () => {
    const id = newId()
    const { order_id } = await tell(id)
    await mesh.orders(shop.merchantId).updateOrder({ id: order_id!, status: 'delivered' })
    const { id: hook } = await mesh.storefrontA(shop, { body: `{"id":${id}}`, topic: 'orders/delete' })
    expect(await mesh.judged(hook)).toMatchObject({ status: 'failed', error: 'cannot_cancel' })
    expect(await mesh.ingestion.stateOf(hook!)).toBe('dead')
  })

  test.each([
    [
      'a phone that is words',
      { shipping_address: { address1: '4 Admiralty Way', phone: '555-555-SHIP' } },
      'missing_phone',
    ],
    ['no street', { shipping_address: { phone: '+2348031234567' } }, 'missing_address'],
  ])('with %s is a dead letter with the reason', async (_what, changes, error) => {
    const job = await tell(newId(), changes)
    expect(job).toMatchObject({ status: 'failed', error, field: expect.stringContaining('standardized.') })
  })

  test.each([
    ['nothing to ship', { line_items: [{ title: 'Gift card', quantity: 1, requires_shipping: false }] }],
    ['nowhere to ship it', { shipping_address: null }],
  ])('with %s is ignored', async (_what, changes) => {
    expect(await tell(newId(), changes)).toMatchObject({ status: 'ignored', error: 'no_shipping' })
  })

  test('whose merchant has set no pickup waits as a dead letter, and is made once there is one', async () => {
    const other = await mesh.shop()
    await mesh.put(other, 'storefront-a', { clear_fields: ['pickup'] })
    const { id } = await mesh.storefrontA(other, { body: orderBody(newId()) })
    expect(await mesh.judged(id)).toMatchObject({ status: 'failed', error: 'pickup_not_configured' })
    await mesh.put(other, 'storefront-a', { pickup: { address: '12 Marina Road, Lagos' } })
    await mesh.ingestion.operator().retryDeadLetter({ id: id! })
    expect(await mesh.judged(id)).toMatchObject({ status: 'succeeded', attempts: 1 })
    expect(await mesh.ingestion.stateOf(id!)).toBe('applied')
  })
})

describe('however it comes', () => {
  test('one body is one hook, under whatever delivery id and however often at once', async () => {
    const id = newId()
    const sent = await Promise.all(
      Array.from({ length: 50 }, () => onceAvailable(() => mesh.storefrontA(shop, { body: orderBody(id) }))),
    )
    expect(new Set(sent.map((one) => one.id)).size).toBe(1)
    expect(sent.filter(({ status }) => status === 'accepted')).toHaveLength(1)
    await mesh.judged(sent[0]?.id)
    const made = (await mesh.ordersOf(shop.merchantId)).filter(({ external_order_id }) => external_order_id === id)
    expect(made).toHaveLength(1)
  })

  test('many hooks of one order in any order come to one order, as the newest says', async () => {
    const id = newId()
    const minutes = [5, 1, 9, 3, 7, 2, 8, 4, 6, 0]
    const sent = await Promise.all(
      minutes.map((minute) =>
        onceAvailable(() =>
          mesh.storefrontA(shop, {
            body: orderBody(id, {
              updated_at: `2026-11-20T10:0${minute}:00Z`,
              financial_status: minute === 9 ? 'paid' : 'pending',
            }),
            topic: 'orders/updated',
          }),
        ),
      ),
    )
    for (const { id: hook } of sent) await mesh.judged(hook)
    const made = (await mesh.ordersOf(shop.merchantId)).filter(({ external_order_id }) => external_order_id === id)
    expect(made).toMatchObject([{ payment_verified: true }])
  })

  test('a shop that nobody has set, another shop’s secret and a changed byte are refused alike', async () => {
    const [body, other] = [orderBody(newId()), await mesh.shop()]
    const refused = { code: 'invalid_signature' }
    const nobodys = { ...shop, domain: `${randomUUID()}.example.com` }
    await expect(mesh.storefrontA(nobodys, { body })).rejects.toMatchObject(refused)
    await expect(mesh.storefrontA({ ...shop, domain: 'no domain' }, { body })).rejects.toMatchObject(refused)
    await expect(mesh.storefrontA(shop, { body, secret: other.secret })).rejects.toMatchObject(refused)
    const headers = { 'x-storefront-a-hmac-sha256': 'A'.repeat(43) + '=' }
    await expect(mesh.storefrontA(shop, { body, headers })).rejects.toMatchObject(refused)
  })

  test('the domain counts however it is spelt', async () => {
    const spelt = { ...shop, domain: `https://${shop.domain.toUpperCase()}:443/` }
    expect(await mesh.storefrontA(spelt, { body: orderBody(newId()) })).toMatchObject({ status: 'accepted' })
  })

  describe('of a shop that several merchants say is theirs', () => {
    const ordersOf = async ({ merchantId }: Shop, id: string) =>
      (await mesh.ordersOf(merchantId)).filter(({ external_order_id }) => external_order_id === id)
    const sameShop = async ({ domain }: Shop): Promise<Shop> => {
      const other = { ...(await mesh.shop()), domain }
      await mesh.put(other, 'storefront-a', { shop_domain: domain })
      return other
    }

    test('a hook goes to the one whose secret signed it, whoever said so first', async () => {
      const first = await mesh.shop()
      const owner = await sameShop(first)
      const id = newId()
      expect(await mesh.judged((await mesh.storefrontA(owner, { body: orderBody(id) })).id)).toMatchObject({
        status: 'succeeded',
      })
      expect(await ordersOf(owner, id)).toHaveLength(1)
      expect(await ordersOf(first, id)).toEqual([])
      const forged = mesh.storefrontA(owner, { body: orderBody(newId()), secret: 'of neither of the two' })
      await expect(forged).rejects.toMatchObject({ code: 'invalid_signature' })
    })

    test('the first one’s own hooks do not stand in the way of the same bytes that the other signed', async () => {
      const first = await mesh.shop()
      const owner = await sameShop(first)
      const body = orderBody(newId())
      const [theirs, ours] = [await mesh.storefrontA(first, { body }), await mesh.storefrontA(owner, { body })]
      expect([theirs.status, ours.status]).toEqual(['accepted', 'accepted'])
      expect(theirs.signer).not.toBe(ours.signer)
    })

    test('who has sent enough for now keeps none of the others from sending', async () => {
      const first = await mesh.shop()
      const owner = await sameShop(first)
      const { signer } = await mesh.storefrontA(first, { body: orderBody(newId()) })
      const told = { body: orderBody(newId()), exhausted: [signer] }
      await expect(mesh.storefrontA(first, told)).rejects.toMatchObject({ code: 'rate_limited' })
      expect(await mesh.storefrontA(owner, told)).toMatchObject({ status: 'accepted' })
    })

    test('those who share the secret too have each hook once each, however often it comes', async () => {
      const one = await mesh.shop()
      const two = { ...(await sameShop(one)), secret: one.secret }
      await mesh.put(two, 'storefront-a', { secret: one.secret })
      const id = newId()
      const statuses = []
      for (let turn = 0; turn < 3; turn++) statuses.push((await mesh.storefrontA(one, { body: orderBody(id) })).status)
      expect(statuses).toEqual(['accepted', 'duplicate', 'duplicate'])
      for (const each of [one, two]) await eventually(async () => (await ordersOf(each, id)).length === 1)
    })

    test('eight may say so, at once; the ninth is told that it is taken, until one gives it up', async () => {
      const first = await mesh.shop()
      const others = await Promise.all(Array.from({ length: 8 }, () => mesh.shop()))
      const said = others.map((one) => mesh.put(one, 'storefront-a', { shop_domain: first.domain }))
      const refused = (await Promise.allSettled(said)).filter(({ status }) => status === 'rejected')
      expect(refused).toMatchObject([{ reason: { code: 'already_exists', details: { field: 'shop_domain' } } }])
      // Whoever has it changes the rest as before.
      await mesh.put(first, 'storefront-a', { lead_minutes: 30 })
      await mesh.put(first, 'storefront-a', { clear_fields: ['shop_domain'] })
      for (const one of others) {
        await mesh.put(one, 'storefront-a', { shop_domain: first.domain })
        const sent = mesh.storefrontA({ ...one, domain: first.domain }, { body: orderBody(newId()) })
        expect(await sent).toMatchObject({ status: 'accepted' })
      }
    })
  })

  test.each([
    ['products/create', 'ignored'],
    ['fulfillments/create', 'ignored'],
    ['app/uninstalled', 'ignored'],
  ])('an event of %s is %s', async (topic, status) => {
    expect(await mesh.storefrontA(shop, { body: `{"id":${newId()}}`, topic })).toMatchObject({ status })
  })

  test('a customer who asks to be forgotten is a dead letter, for a person to act', async () => {
    const body = JSON.stringify({ shop_domain: shop.domain, customer: { id: randomInt(1e9) }, orders_to_redact: [1] })
    const { id } = await mesh.storefrontA(shop, { body, topic: 'customers/redact' })
    expect(await mesh.judged(id)).toMatchObject({ status: 'failed', error: 'erasure_requested' })
  })

  test.each([
    ['no JSON', 'hello'],
    ['a list', '[1]'],
    ['cut short', '{"id":1,"line_items":['],
    ['a key that would reach a prototype', '{"__proto__":{},"id":1}'],
    ['a NUL', '{"id":1,"note":"\\u0000"}'],
    ['nested beyond reason', `{"id":1,"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ])('%s is accepted, and is a dead letter', async (_what, body) => {
    const { id, status } = await mesh.storefrontA(shop, { body: body.replace('1', newId()) })
    expect(status).toBe('accepted')
    expect(await mesh.ingestion.stateOf(id!)).toBe('dead')
  })
})
