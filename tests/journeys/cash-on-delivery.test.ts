import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { type Api, answered, orderBody, type SignedUp, signUp } from './merchant.ts'

const system = sharedMesh('journeys')
let merchant: SignedUp
/** The sandbox rider, as this merchant's. */
let rider: Api
let riderId: string

beforeAll(async () => {
  merchant = await signUp(system.baseUrl)
  const order = await placed(0)
  const acted = await act(order, 'accept')
  riderId = acted.simulator_rider_id
  const minted = answered(200, await merchant.test.post('/v1/auth/rider/token', { rider_id: riderId })).body
  rider = merchant.test.bearing(minted.access_token)
})

async function placed(cod_amount_minor: number): Promise<string> {
  return answered(201, await merchant.test.post('/v1/orders', orderBody({ cod_amount_minor }))).body.order.id
}
const act = async (order_id: string, action: string) =>
  answered(200, await merchant.test.post('/v1/test/simulator/rider-action', { order_id, action })).body
const report = (orderId: string, body: object) => rider.post(`/v1/riders/me/orders/${orderId}/status`, body)
const codOf = async (orderId: string) =>
  answered(200, await merchant.test.get(`/v1/orders/${orderId}`)).body.order.unified_json.cod
const inHand = async () => answered(200, await rider.get('/v1/riders/me/cash')).body.items[0]?.in_hand_minor ?? 0

test('cash is collected at the door, refused there, handed over, and stands in the merchant’s statement', async () => {
  const [paid, short, refused] = [await placed(10_000), await placed(8_000), await placed(7_000)]
  for (const order of [paid, short, refused]) {
    await act(order, 'accept')
    answered(200, await report(order, { status: 'picked_up' }))
  }
  const wrong = await report(paid, { status: 'delivered', cod_collected_minor: 10_001 })
  expect([wrong.status, wrong.body.details.field]).toEqual([400, 'cod_collected_minor'])
  const silent = await report(short, { status: 'delivered', cod_collected_minor: 5_000 })
  expect([silent.status, silent.body.details.field]).toEqual([400, 'cod_reason'])

  answered(200, await report(paid, { status: 'delivered', cod_collected_minor: 10_000 }))
  answered(200, await report(short, { status: 'delivered', cod_collected_minor: 5_000, cod_reason: 'one was broken' }))
  const back = { status: 'returned_to_merchant', cod_collected_minor: 0, reason: 'refused to pay' }
  expect(answered(200, await report(refused, back)).body.order.status).toBe('returned_to_merchant')
  expect(await codOf(paid)).toMatchObject({ status: 'collected', collected_minor: 10_000 })
  expect(await codOf(short)).toMatchObject({ status: 'short', collected_minor: 5_000, reason: 'one was broken' })
  expect(await codOf(refused)).toMatchObject({ status: 'refused', collected_minor: 0, reason: 'refused to pay' })
  await eventually(async () => expect(await inHand()).toBe(15_000))

  const mistaken = { merchant_id: merchant.merchantId, amount_minor: 15_000 }
  const typed = answered(201, await rider.post('/v1/riders/me/cash/remittances', mistaken)).body.remittance
  const withdrawn = await rider.post(`/v1/riders/me/cash/remittances/${typed.id}/withdraw`, {})
  expect(answered(200, withdrawn).body.remittance).toMatchObject({ status: 'withdrawn', received_minor: 0 })

  const declare = { merchant_id: merchant.merchantId, amount_minor: 12_000 }
  const key = { 'Idempotency-Key': randomUUID() }
  const declared = answered(201, await rider.post('/v1/riders/me/cash/remittances', declare, key))
  const again = answered(201, await rider.post('/v1/riders/me/cash/remittances', declare, key))
  expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', declared.body])
  const { id } = declared.body.remittance
  const address = `/v1/me/cod-remittances/${id}/confirm`
  for (let times = 0; times < 2; times++) {
    const less = { received_minor: 11_000, reason: 'a note was missing' }
    const { remittance } = answered(200, await merchant.test.post(address, less)).body
    expect(remittance).toMatchObject({ status: 'confirmed', declared_minor: 12_000, received_minor: 11_000 })
  }
  expect(await inHand()).toBe(4_000)
  const objection = { reason: 'it was there' }
  answered(200, await rider.post(`/v1/riders/me/cash/remittances/${id}/dispute`, objection))
  const disputed = answered(200, await merchant.test.get('/v1/me/cod-remittances?status=disputed')).body
  expect(disputed.items).toMatchObject([{ id, reason: 'it was there' }])

  const desk = { rider_id: riderId, amount_minor: 3_000 }
  const taken = answered(201, await merchant.test.post('/v1/me/cod-remittances', desk)).body.remittance
  answered(200, await merchant.test.post(`/v1/me/cod-remittances/${taken.id}/confirm`, {}))
  const statement = answered(200, await merchant.test.get('/v1/me/cod-statement')).body
  expect(statement).toMatchObject({
    total: 4,
    totals: [{ in_hand_minor: 1_000, collected_minor: 15_000, remitted_minor: 14_000, adjusted_minor: 0 }],
  })
  const moved = statement.items.map(({ amount_minor }: { amount_minor: number }) => amount_minor)
  expect(moved.toSorted((one: number, other: number) => one - other)).toEqual([-11_000, -3_000, 5_000, 10_000])
  const { items } = answered(200, await merchant.test.get('/v1/me/cod-accounts')).body
  expect(items).toMatchObject([{ rider_id: riderId, in_hand_minor: 1_000 }])
})
