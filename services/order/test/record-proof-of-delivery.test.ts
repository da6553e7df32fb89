import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { merchantCaller, riderCaller } from '@svc/testing'
import { acceptance, clientsOf, creation, type OrderMesh, orderMesh, summary } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

const pod = { method: 'otp', verified_at: '2030-01-01T00:00:00.000Z', phone_last4: '4567', attempts: 1 }

async function onBoard() {
  const merchant = merchantCaller({ isTest: false })
  const { order } = await mesh.orders(merchant).createOrder(creation())
  const id = order?.id ?? ''
  const riderId = randomUUID()
  await mesh.fulfilment().commitAssignment(acceptance(id, summary(riderId)))
  await mesh.fulfilment(riderCaller(riderId)).updateRiderOrderStatus({ order_id: id, status: 'picked_up' })
  const proof = { order_id: id, rider_id: riderId, op_key: `pod:${randomUUID()}`, pod_json: JSON.stringify(pod) }
  return { id, merchant, proof }
}

const announced = async (id: string) => (await mesh.facts(id)).slice(5).map(({ type }) => type)
const record = (proof: Awaited<ReturnType<typeof onBoard>>['proof']) => mesh.fulfilment().recordProofOfDelivery(proof)

describe('a proof of delivery', () => {
  test('is kept in the record and delivers the order, once however often it comes', async () => {
    const { id, proof } = await onBoard()
    const replies = await Promise.all([record(proof), record(proof), record(proof)])
    for (const { order } of replies) {
      expect(order).toMatchObject({ status: 'delivered', payment_verified: false })
      expect(JSON.parse(order?.unified_json ?? '').pod).toMatchObject(pod)
    }
    expect(await announced(id)).toEqual(['order.delivered', 'order.status_updated'])
  })

  test('of an order that the merchant called delivered is kept and announces nothing', async () => {
    const { id, merchant, proof } = await onBoard()
    await mesh.orders(merchant).updateOrder({ id, status: 'delivered' })
    const before = (await mesh.facts(id)).length
    const { order } = await record(proof)
    expect(JSON.parse(order?.unified_json ?? '').pod).toMatchObject(pod)
    expect(await mesh.facts(id)).toHaveLength(before)
  })

  test('of an order that was cancelled meanwhile delivers it, for the record of operators too', async () => {
    const { id, merchant, proof } = await onBoard()
    await mesh.orders(merchant).cancelOrder({ id, reason: 'other' })
    expect((await record(proof)).order).toMatchObject({ status: 'delivered' })
    const audits = await mesh.rows(`SELECT 1 FROM outbox WHERE type = 'audit.recorded' AND merchant_id = $1`, [
      merchant.merchantId,
    ])
    expect(audits).toHaveLength(1)
  })

  test('of a rider who no longer has the order is refused', async () => {
    const { id, proof } = await onBoard()
    await expect(record({ ...proof, rider_id: randomUUID() })).rejects.toMatchObject({ code: 'not_found' })
    expect(await announced(id)).toEqual([])
  })

  test('is brought by dispatch alone, as an object', async () => {
    const { proof } = await onBoard()
    const rider = mesh.fulfilment(riderCaller(proof.rider_id))
    await expect(rider.recordProofOfDelivery(proof)).rejects.toMatchObject({ code: 'forbidden' })
    for (const pod_json of ['', '[]', 'null', '{']) {
      await expect(record({ ...proof, pod_json })).rejects.toMatchObject({ details: { field: 'pod_json' } })
    }
  })

  test('enters the status that the operator configured', async () => {
    const other = await mesh.start({ podVerifiedStatus: 'at the door', instance: 'other' })
    const clients = clientsOf(other.address())
    try {
      const { id, proof } = await onBoard()
      const { order } = await clients.fulfilment().recordProofOfDelivery(proof)
      expect(order).toMatchObject({ status: 'at the door', payment_verified: false })
      expect(await announced(id)).toEqual(['order.status_updated'])
    } finally {
      clients.close()
      await other.stop()
    }
  })
})
