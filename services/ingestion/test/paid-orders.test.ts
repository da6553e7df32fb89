import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, onceAvailable } from '@svc/testing'
import { type IntakeMesh, intakeMesh } from './intake-mesh.ts'
import { chargeBody, idOf } from './start-ingestion.ts'

let mesh: IntakeMesh
beforeAll(async () => {
  mesh = await intakeMesh()
})
afterAll(() => mesh?.stop())

const SECRET = 'sk_of_a_merchant_0123456789'

/** A merchant with a payment account of its own. */
async function payee(): Promise<string> {
  const { merchantId } = await mesh.shop()
  await mesh.put({ merchantId }, 'payments-a', { secret: SECRET, pickup: { address: '12 Marina Road, Lagos' } })
  return merchantId
}

interface Payment {
  merchantId?: string
  reference?: string
  metadata?: Record<string, unknown>
}

const paid = ({ merchantId, reference = `shop-${randomUUID()}`, metadata = {} }: Payment = {}) =>
  chargeBody({
    reference,
    domain: 'live',
    currency: 'NGN',
    paid_at: '2026-01-15T10:00:00.000Z',
    customer: { first_name: 'Ada', phone: '08031234567' },
    metadata: { delivery_address: '14 Adeola Odeku Street, Lagos', merchant_id: merchantId, ...metadata },
  })

/** What the wallet says of a payment that is none of its own. */
const notMoney = (hookId: string, attempt = 1) => mesh.ingestion.judge(hookId, attempt, 'ignored', 'no_intent')

const becomes = (id: string, state: string) => eventually(async () => (await mesh.ingestion.stateOf(id)) === state)

describe('a payment that the wallet knows nothing of', () => {
  test('is a paid order of the merchant that its checkout names, once, however often it comes and is judged', async () => {
    const [merchantId, reference] = [await payee(), `shop-${randomUUID()}`]
    const body = paid({ merchantId, reference })
    const sent = await Promise.all(Array.from({ length: 20 }, () => onceAvailable(() => mesh.ingestion.send({ body }))))
    expect(sent.filter(({ status }) => status === 'accepted')).toHaveLength(1)
    const id = idOf(sent[0]!)
    await notMoney(id)
    await notMoney(id)
    const job = await mesh.judged(id)
    expect(job).toMatchObject({ status: 'succeeded', outcome: 'order' })
    const orders = await mesh.ordersOf(merchantId)
    expect(orders).toMatchObject([
      { id: job.order_id, source: 'payments-a', external_order_id: reference, payment_verified: true, is_test: false },
    ])
    await becomes(id, 'applied')
  })

  test('signed by the merchant itself too is the same order', async () => {
    const [merchantId, reference] = [await payee(), `shop-${randomUUID()}`]
    const ofPlatform = idOf(await mesh.ingestion.send({ body: paid({ merchantId, reference }) }))
    const ofMerchant = idOf(await mesh.ingestion.send({ body: paid({ reference }), merchantId, secret: SECRET }))
    expect(ofMerchant).not.toBe(ofPlatform)
    for (const id of [ofPlatform, ofMerchant]) {
      await notMoney(id)
      expect(await mesh.judged(id)).toMatchObject({ status: 'succeeded' })
    }
    expect(await mesh.ordersOf(merchantId)).toHaveLength(1)
  })

  test('at the address of another than its checkout names is nobody’s order, and a dead letter', async () => {
    const [merchantId, other] = [await payee(), await payee()]
    const id = idOf(await mesh.ingestion.send({ body: paid({ merchantId }), merchantId: other }))
    await notMoney(id)
    await becomes(id, 'dead')
    expect([await mesh.ordersOf(merchantId), await mesh.ordersOf(other)]).toEqual([[], []])
  })

  test('without an address is a dead letter, and an order once the wallet was asked again', async () => {
    const merchantId = await payee()
    await mesh.put({ merchantId }, 'payments-a', { clear_fields: ['pickup'] })
    const id = idOf(await mesh.ingestion.send({ body: paid({ merchantId }) }))
    await notMoney(id)
    expect(await mesh.judged(id)).toMatchObject({ status: 'failed', error: 'pickup_not_configured' })
    await becomes(id, 'dead')
    await mesh.put({ merchantId }, 'payments-a', { pickup: { address: '12 Marina Road, Lagos' } })
    await mesh.ingestion.operator().retryDeadLetter({ id })
    await notMoney(id, 2)
    await becomes(id, 'applied')
    expect(await mesh.ordersOf(merchantId)).toHaveLength(1)
  })
})

test('a payment that moved money, or was refused, is no order, whatever its checkout says of one', async () => {
  const merchantId = await payee()
  for (const [outcome, state] of [
    ['applied', 'applied'],
    ['refused', 'dead'],
  ] as const) {
    const id = idOf(await mesh.ingestion.send({ body: paid({ merchantId }) }))
    await mesh.ingestion.judge(id, 1, outcome, outcome === 'refused' ? 'amount_mismatch' : undefined)
    await becomes(id, state)
    expect(await mesh.ingestion.sql('SELECT FROM normalization_jobs WHERE id = $1', [id])).toEqual([])
  }
  expect(await mesh.ordersOf(merchantId)).toEqual([])
})

describe('what was paid to the platform and is disputed or given back', () => {
  test.each([
    ['charge.dispute.create', 'payment_disputed'],
    ['charge.dispute.remind', 'payment_disputed'],
    ['refund.processed', 'payment_refunded'],
  ])('%s is a dead letter for a person: %s', async (event, reason) => {
    const id = idOf(await mesh.ingestion.send({ body: chargeBody({ event, amount: '10000' }) }))
    const rows = await mesh.ingestion.sql('SELECT state, reason FROM inbound_hooks WHERE id = $1', [id])
    expect(rows).toEqual([{ state: 'dead', reason }])
  })

  test('of a merchant’s own account is that merchant’s, and ignored', async () => {
    const body = chargeBody({ event: 'charge.dispute.create' })
    const sent = await mesh.ingestion.send({ body, merchantId: await payee(), secret: SECRET })
    expect(sent).toMatchObject({ status: 'ignored', reason: 'event_not_used' })
  })
})

test('the dead letter of an order names it, where another hook of the order has had an answer', async () => {
  const shop = await mesh.shop()
  const externalId = String(Date.now())
  const told = {
    id: Number(externalId),
    financial_status: 'paid',
    line_items: [{ title: 'Rice', quantity: 1 }],
    shipping_address: { address1: '4 Admiralty Way, Lekki', phone: '+2348031234567' },
  }
  const { id: first } = await mesh.storefrontA(shop, { body: JSON.stringify(told) })
  const { order_id: orderId } = await mesh.judged(first)
  await mesh.orders(shop.merchantId).updateOrder({ id: orderId ?? '', status: 'delivered' })
  const { id } = await mesh.storefrontA(shop, { body: `{"id":${externalId}}`, topic: 'orders/delete' })
  await mesh.judged(id)
  const { merchantId: merchant_id } = shop
  const asked = { limit: 0, offset: 0, include_resolved: false, merchant_id }
  const { items } = await mesh.ingestion.operator().listDeadLetters(asked)
  expect(items).toMatchObject([{ id, error: 'cannot_cancel', order_id: orderId }])
})

test.each([
  [
    'orders/edited',
    (id: string) => `{"order_edit":{"id":7,"order_id":${id},"line_items":{"additions":[]}}}`,
    'edit_recorded',
  ],
  ['refunds/create', (id: string) => `{"id":8,"order_id":${id},"refund_line_items":[]}`, 'refund_recorded'],
])('a hook of %s is recorded with its order, and changes nothing', async (topic, bodyOf, error) => {
  const shop = await mesh.shop()
  const externalId = `8209${Date.now()}99`
  const { id } = await mesh.storefrontA(shop, { body: bodyOf(externalId), topic })
  expect(await mesh.judged(id)).toMatchObject({ status: 'ignored', error })
  const [job] = await mesh.ingestion.sql('SELECT external_order_id FROM normalization_jobs WHERE id = $1', [id])
  expect(job).toEqual({ external_order_id: externalId })
})
