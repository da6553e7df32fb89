import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { merchantCaller, riderCaller } from '@svc/testing'
import { acceptance, creation, type OrderMesh, orderMesh, summary } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

const MINUTE_MS = 60_000
const anyone: Caller = { ...merchantCaller(), kind: 'public' }

async function place() {
  const merchant = merchantCaller({ isTest: false })
  const { order } = await mesh.orders(merchant).createOrder(creation())
  const id = order?.id ?? ''
  const riderId = randomUUID()
  const record = (progress: string, more: Record<string, unknown> = {}) =>
    mesh.fulfilment().recordProgress({ order_id: id, op_key: randomUUID(), progress, rider_id: riderId, ...more })
  return {
    id,
    merchant,
    riderId,
    token: order?.tracking_token ?? '',
    record,
    accept: () => mesh.fulfilment().commitAssignment(acceptance(id, summary(riderId))),
    say: (status: string) => mesh.fulfilment(riderCaller(riderId)).updateRiderOrderStatus({ order_id: id, status }),
    async announced(from: number) {
      return (await mesh.facts(id)).slice(from).map(({ type }) => type)
    },
  }
}

const etaIn = (pickup: number | null, dropoff: number) => ({
  ...(pickup !== null && { pickup_p50_at: at(pickup), pickup_p90_at: at(pickup + 5) }),
  dropoff_p50_at: at(dropoff),
  dropoff_p90_at: at(dropoff + 10),
})
const start = Date.parse('2030-01-01T10:00:00.000Z')
const at = (minutes: number) => new Date(start + minutes * MINUTE_MS).toISOString()

describe('a rider who moves away from the pickup', () => {
  test('brings a collected order into transit, once', async () => {
    const job = await place()
    await job.accept()
    expect(await job.record('departed')).toEqual({ applied: false })
    await job.say('picked_up')
    expect(await job.record('departed')).toEqual({ applied: true })
    expect(await job.record('departed')).toEqual({ applied: false })
    expect(await job.announced(5)).toEqual(['order.status_updated'])
    expect((await mesh.facts(job.id)).at(-1)?.fact).toMatchObject({
      previous_status: 'picked_up',
      order: { status: 'in_transit' },
    })
  })
})

describe('arrivals', () => {
  test('are facts of their own with versions of the order, each where it can happen', async () => {
    const job = await place()
    await job.accept()
    expect(await job.record('arrived_dropoff')).toEqual({ applied: false })
    expect(await job.record('arrived_pickup')).toEqual({ applied: true })
    await job.say('picked_up')
    expect(await job.record('arrived_pickup')).toEqual({ applied: false })
    expect(await job.record('arrived_dropoff')).toEqual({ applied: true })
    expect(await job.announced(3)).toEqual([
      'order.rider_arrived_pickup',
      'order.picked_up',
      'order.status_updated',
      'order.rider_arrived_dropoff',
    ])
    const facts = await mesh.facts(job.id)
    expect(facts.map(({ aggregate_version }) => aggregate_version)).toEqual(facts.map((_, index) => index + 1))
  })

  test('of a rider who no longer has the order, or after its end, are dropped', async () => {
    const job = await place()
    await job.accept()
    expect(await job.record('arrived_pickup', { rider_id: randomUUID() })).toEqual({ applied: false })
    await mesh.orders(job.merchant).cancelOrder({ id: job.id, reason: 'other' })
    expect(await job.record('arrived_pickup')).toEqual({ applied: false })
    expect(await job.announced(3)).toEqual(['order.status_updated', 'order.cancelled'])
  })

  test('reported again under the same key are told once, and the answer stays', async () => {
    const job = await place()
    await job.accept()
    const op_key = randomUUID()
    for (let round = 0; round < 3; round++)
      expect(await job.record('arrived_pickup', { op_key })).toEqual({ applied: true })
    await job.say('picked_up')
    expect(await job.record('arrived_pickup', { op_key })).toEqual({ applied: true })
    expect(await job.announced(3)).toEqual(['order.rider_arrived_pickup', 'order.picked_up', 'order.status_updated'])
  })
})

describe('a search for a rider', () => {
  test('that takes long or finds nobody is told while nobody has accepted', async () => {
    const job = await place()
    expect(await job.record('delayed', { rider_id: undefined })).toEqual({ applied: true })
    expect(await job.record('exhausted', { rider_id: undefined })).toEqual({ applied: true })
    await job.accept()
    expect(await job.record('exhausted', { rider_id: undefined })).toEqual({ applied: false })
    expect(await job.announced(1)).toEqual([
      'dispatch.delayed',
      'dispatch.exhausted',
      'order.rider_assigned',
      'order.accepted',
    ])
  })
})

describe('an estimate', () => {
  test('is shown at once, and told when a median moves by more than five minutes since it was told', async () => {
    const job = await place()
    await job.accept()
    for (const [pickup, dropoff] of [
      [10, 30],
      [13, 33],
      [15, 35],
      [15.1, 35],
      [12, 31],
      [12, 29],
      [null, 30],
    ] as const) {
      expect(await job.record('eta', { eta: etaIn(pickup, dropoff) })).toEqual({ applied: true })
      const { order } = await mesh.orders(job.merchant).getOrder({ id: job.id })
      expect(order?.eta).toEqual(etaIn(pickup, dropoff))
    }
    const facts = (await mesh.facts(job.id)).slice(3)
    expect(facts.map(({ type, fact }) => [type, fact.order?.eta?.dropoff_p50_at])).toEqual([
      ['order.eta_changed', at(30)],
      ['order.eta_changed', at(35)],
      ['order.eta_changed', at(29)],
    ])
    const ops = await mesh.rows(`SELECT 1 FROM order_ops WHERE order_id = $1 AND kind = 'progress'`, [job.id])
    expect(ops).toHaveLength(3)
    const tracked = await mesh.orders(anyone).trackOrder({ token: job.token })
    expect(tracked).toMatchObject({ order_id: job.id, rider_id: job.riderId, eta: etaIn(null, 30) })
  })

  test('ends with its rider and with the order', async () => {
    const job = await place()
    await job.accept()
    await job.record('eta', { eta: etaIn(10, 30) })
    await mesh.fulfilment().commitAssignment(acceptance(job.id, summary(), { expected_assignment_version: 1 }))
    expect((await mesh.orders(job.merchant).getOrder({ id: job.id })).order?.eta).toBeUndefined()
    expect(await job.record('eta', { eta: etaIn(10, 30) })).toEqual({ applied: false })

    const other = await place()
    await other.accept()
    await other.record('eta', { eta: etaIn(10, 30) })
    await mesh.orders(other.merchant).updateOrder({ id: other.id, status: 'delivered' })
    const tracked = await mesh.orders(anyone).trackOrder({ token: other.token })
    expect(tracked).toMatchObject({ status: 'delivered', rider: { first_name: 'Bola', vehicle_type: 'car' } })
    expect([tracked.eta, tracked.rider_id]).toEqual([undefined, undefined])
  })
})

test('progress of no known kind, or from anyone but dispatch, is refused', async () => {
  const job = await place()
  await expect(job.record('teleported')).rejects.toMatchObject({ details: { field: 'progress' } })
  const request = { order_id: job.id, op_key: 'k', progress: 'departed' }
  for (const caller of [job.merchant, riderCaller(job.riderId)]) {
    await expect(mesh.fulfilment(caller).recordProgress(request)).rejects.toMatchObject({ code: 'forbidden' })
  }
})
