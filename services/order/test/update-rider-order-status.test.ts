import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { merchantCaller, riderCaller } from '@svc/testing'
import { acceptance, clientsOf, creation, type OrderMesh, orderMesh, summary } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

/** An order of a rider, and the rider at work on it. */
async function atWork(changes: { accept?: boolean } = {}) {
  const merchant = merchantCaller({ isTest: false })
  const { order } = await mesh.orders(merchant).createOrder(creation())
  const id = order?.id ?? ''
  const riderId = randomUUID()
  await mesh.fulfilment().commitAssignment(acceptance(id, summary(riderId), changes))
  const rider = riderCaller(riderId)
  const say = (status: string, more: Record<string, unknown> = {}) =>
    mesh.fulfilment(rider).updateRiderOrderStatus({ order_id: id, status, ...more })
  return { id, rider, say, merchant }
}

const announced = async (id: string, from: number) => (await mesh.facts(id)).slice(from).map(({ type }) => type)

describe('the way of an order, as its rider reports it', () => {
  test('announces each step as the matrix of events says', async () => {
    const { id, say } = await atWork()
    for (const status of ['picked_up', 'in_transit', 'delivered']) {
      expect((await say(status)).order?.status).toBe(status)
    }
    expect(await announced(id, 3)).toEqual([
      'order.picked_up',
      'order.status_updated',
      'order.status_updated',
      'order.delivered',
      'order.status_updated',
    ])
  })

  test('begins with a yes to what was given without asking, told as any acceptance', async () => {
    const { id, say } = await atWork({ accept: false })
    await expect(say('picked_up')).rejects.toMatchObject({ code: 'invalid_transition' })
    expect((await say('accepted')).order?.status).toBe('accepted')
    expect(await announced(id, 1)).toEqual(['order.rider_assigned', 'order.rider_assigned', 'order.accepted'])
  })

  test.each([
    ['accepted', ['in_transit', 'delivered', 'returned_to_merchant', 'lost_in_transit']],
    ['picked_up', ['accepted']],
    ['in_transit', ['picked_up', 'accepted']],
    ['delivered', ['picked_up', 'in_transit', 'returned_to_merchant', 'accepted']],
  ])('from %s leads to none of %j, and a refusal leaves no trace', async (from, refused) => {
    const { id, say } = await atWork()
    for (const status of ['picked_up', 'in_transit', 'delivered'].slice(
      0,
      ['accepted', 'picked_up', 'in_transit', 'delivered'].indexOf(from),
    )) {
      await say(status)
    }
    const before = await announced(id, 0)
    for (const status of refused) {
      await expect(say(status, { reason: 'x' })).rejects.toMatchObject({
        code: 'invalid_transition',
        details: { status: from },
      })
    }
    expect(await announced(id, 0)).toEqual(before)
  })

  test('may end with the goods back or lost, for a reason that is kept', async () => {
    for (const status of ['returned_to_merchant', 'lost_in_transit']) {
      const { say, rider } = await atWork()
      await say('picked_up')
      for (const reason of [undefined, '', '  ']) {
        await expect(say(status, { reason })).rejects.toMatchObject({
          code: 'validation_error',
          details: { field: 'reason', rule: 'required' },
        })
      }
      const { order } = await say(status, { reason: 'nobody at home' })
      expect(order?.status).toBe(status)
      expect(JSON.parse(order?.unified_json ?? '').failure).toMatchObject({
        status,
        reason: 'nobody at home',
        actor_id: rider.actor.id,
      })
    }
  })

  test('knows no other status', async () => {
    const { say } = await atWork()
    for (const status of ['cancelled', 'pending', '', 'on my way']) {
      await expect(say(status)).rejects.toMatchObject({
        code: 'validation_error',
        details: { field: 'status', rule: 'enum' },
      })
    }
  })

  test('without a dispatch that knows of photos is refused with one, and nothing happened', async () => {
    const { id, say } = await atWork()
    const before = await announced(id, 0)
    await expect(say('picked_up', { photo_storage_key: 'pod/1.jpg' })).rejects.toMatchObject({
      code: 'uploads_not_configured',
    })
    expect(await announced(id, 0)).toEqual(before)
  })
})

describe('repeats of an app that was offline', () => {
  test('of one event take effect once, however late and however many at once', async () => {
    const { id, say } = await atWork()
    const event = {
      client_event_id: randomUUID(),
      occurred_at: new Date().toISOString(),
      point: { lat: 6.4, lng: 3.4 },
    }
    await Promise.all(Array.from({ length: 8 }, () => say('picked_up', event)))
    await say('in_transit')
    expect((await say('picked_up', event)).order?.status).toBe('in_transit')
    expect(await announced(id, 3)).toEqual(['order.picked_up', 'order.status_updated', 'order.status_updated'])
    const ops = await mesh.rows<{ outcome: unknown }>(
      `SELECT outcome FROM order_ops WHERE order_id = $1 AND op_key LIKE '%' || $2`,
      [id, event.client_event_id],
    )
    expect(ops).toEqual([{ outcome: { status: 'picked_up', point: event.point, occurredAt: event.occurred_at } }])
  })

  test('under an id that stood for something else are refused', async () => {
    const { say, rider, merchant } = await atWork()
    const client_event_id = randomUUID()
    await say('picked_up', { client_event_id })
    await expect(say('in_transit', { client_event_id })).rejects.toMatchObject({ code: 'idempotency_conflict' })

    const { order } = await mesh.orders(merchant).createOrder(creation())
    await mesh.fulfilment().commitAssignment(acceptance(order?.id ?? '', summary(rider.actor.id)))
    await expect(
      mesh
        .fulfilment(rider)
        .updateRiderOrderStatus({ order_id: order?.id ?? '', status: 'picked_up', client_event_id }),
    ).rejects.toMatchObject({ code: 'idempotency_conflict' })
  })

  test('without an id change nothing while the order is still there', async () => {
    const { id, say } = await atWork()
    await say('picked_up')
    await say('picked_up')
    expect(await announced(id, 3)).toEqual(['order.picked_up', 'order.status_updated'])
  })

  test('of two riders never meet, even under the same id', async () => {
    const [one, other] = [await atWork(), await atWork()]
    const client_event_id = 'same'
    expect((await one.say('picked_up', { client_event_id })).order?.status).toBe('picked_up')
    expect((await other.say('picked_up', { client_event_id })).order?.status).toBe('picked_up')
  })
})

describe('where a proof of delivery is required', () => {
  test('a rider delivers only with one', async () => {
    const strict = await mesh.start({ podRequiredForDelivery: true, podVerifiedStatus: 'none', instance: 'strict' })
    const clients = clientsOf(strict.address())
    try {
      const { id, say, rider } = await atWork()
      await say('picked_up')
      const deliver = () => clients.fulfilment(rider).updateRiderOrderStatus({ order_id: id, status: 'delivered' })
      await expect(deliver()).rejects.toMatchObject({ code: 'pod_required' })
      const pod = { method: 'otp', verified_at: new Date().toISOString(), rider_id: rider.actor.id }
      const proof = { order_id: id, rider_id: rider.actor.id, op_key: randomUUID(), pod_json: JSON.stringify(pod) }
      expect((await clients.fulfilment().recordProofOfDelivery(proof)).order?.status).toBe('picked_up')
      const { order } = await deliver()
      expect(order?.status).toBe('delivered')
      expect(JSON.parse(order?.unified_json ?? '').pod).toEqual({ ...pod, photo_storage_key: null })
    } finally {
      clients.close()
      await strict.stop()
    }
  })
})
