import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { merchantCaller } from '@svc/testing'
import { acceptance, creation, type OrderMesh, orderMesh, summary } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

const HERE = { lat: 6.46, lng: 3.4 }
/** Some 1,112 m from here. */
const THERE = { lat: 6.47, lng: 3.4 }

const home = () => ({
  customer_phone: `+23480${randomInt(10_000_000, 99_999_999)}`,
  dropoff_address: `${randomInt(1, 9_999)} Broad Street, Lagos`,
})
type Home = ReturnType<typeof home>

const create = (by: Caller, place: Home, point: { lat: number; lng: number } | null, changes = {}) =>
  mesh
    .orders(by)
    .createOrder(creation(changes, { ...place, ...(point && { dropoff_lat: point.lat, dropoff_lng: point.lng }) }))

/** An order for the place is handed over there. */
async function handOver(by: Caller, place: Home, point: { lat: number | null; lng: number | null }): Promise<void> {
  const { order } = await create(by, place, null)
  const id = order?.id ?? ''
  const rider = summary(randomUUID())
  await mesh.fulfilment().commitAssignment(acceptance(id, rider))
  const pod = { method: 'otp', verified_at: new Date().toISOString(), phone_last4: '4567', attempts: 1, ...point }
  const proof = { order_id: id, rider_id: rider.id, op_key: `pod:${randomUUID()}`, pod_json: JSON.stringify(pod) }
  await Promise.all([1, 2].map(() => mesh.fulfilment().recordProofOfDelivery(proof)))
}

const live = () => merchantCaller({ isTest: false })
const warning = (confidence: string) =>
  `standardized.dropoff_lat and dropoff_lng are 1112 m from 6.46000, 3.40000, where orders for this phone and address were handed over (confidence: ${confidence}).`

describe('a creation', () => {
  test('far from where orders of its phone and address were handed over says so, surer by each proof, and changes nothing', async () => {
    const [merchant, place] = [live(), home()]
    expect((await create(merchant, place, THERE)).warnings).toEqual([])
    for (const confidence of ['low', 'medium', 'high']) {
      await handOver(merchant, place, HERE)
      const spelled = { ...place, dropoff_address: ` ${place.dropoff_address.toUpperCase()}.` }
      const { order, warnings } = await create(merchant, spelled, THERE)
      expect(warnings).toEqual([warning(confidence)])
      expect(JSON.parse(order?.unified_json ?? '').standardized).toMatchObject({
        dropoff_lat: THERE.lat,
        dropoff_lng: THERE.lng,
      })
    }
    expect((await create(merchant, place, { lat: 6.461, lng: 3.4 })).warnings).toEqual([])
    expect((await create(merchant, place, null)).warnings).toEqual([])
  })

  test('is warned alone and among others, the preflight too, and a repeat no more', async () => {
    const [merchant, place] = [live(), home()]
    await handOver(merchant, place, HERE)
    const many = await Promise.all(Array.from({ length: 10 }, () => create(merchant, place, THERE)))
    expect(many.map(({ warnings }) => warnings)).toEqual(Array(10).fill([warning('low')]))
    const { idempotency: _, ...asked } = creation({}, { ...place, dropoff_lat: THERE.lat, dropoff_lng: THERE.lng })
    expect((await mesh.orders(merchant).preflightOrder(asked)).warnings).toEqual([warning('low')])
    const keyed = { ...asked, idempotency: { key: randomUUID(), request_hash: Buffer.from('one') } }
    expect((await mesh.orders(merchant).createOrder(keyed)).warnings).toEqual([warning('low')])
    expect(await mesh.orders(merchant).createOrder(keyed)).toMatchObject({ replayed: true, warnings: [] })
    expect(await mesh.orders(merchant).createOrder(asked)).toMatchObject({ idempotent: true, warnings: [] })
  })

  test('hears nothing of what another merchant, or another environment, has learnt', async () => {
    const [merchant, place] = [live(), home()]
    await handOver(merchant, place, HERE)
    expect((await create(live(), place, THERE)).warnings).toEqual([])
    expect((await create({ ...merchant, isTest: true }, place, THERE)).warnings).toEqual([])
    expect((await create(merchant, { ...place, customer_phone: home().customer_phone }, THERE)).warnings).toEqual([])
    expect((await create(merchant, place, THERE)).warnings).toHaveLength(1)
  })
})

describe('what is remembered', () => {
  const pins = (by: Caller) =>
    mesh.rows<{ lat: number; proofs: number; key: Buffer }>(
      'SELECT lat, proofs, key FROM address_pins WHERE merchant_id = $1 ORDER BY proven_at, key',
      [by.merchantId],
    )

  test('is not overthrown by one proof from elsewhere, but by those that nothing speaks against any more', async () => {
    const [merchant, place] = [live(), home()]
    await handOver(merchant, place, HERE)
    await handOver(merchant, place, HERE)
    await handOver(merchant, place, THERE)
    expect(await pins(merchant)).toMatchObject([{ lat: HERE.lat, proofs: 1 }])
    await handOver(merchant, place, THERE)
    expect(await pins(merchant)).toMatchObject([{ lat: THERE.lat, proofs: 1 }])
  })

  test('is learnt once of an order, however many proofs it is given', async () => {
    const [merchant, place] = [live(), home()]
    const { order } = await create(merchant, place, null)
    const rider = summary(randomUUID())
    await mesh.fulfilment().commitAssignment(acceptance(order!.id, rider))
    const pod_json = JSON.stringify({ method: 'otp', verified_at: new Date().toISOString(), ...HERE })
    for (const op_key of [randomUUID(), randomUUID(), randomUUID()])
      await mesh.fulfilment().recordProofOfDelivery({ order_id: order!.id, rider_id: rider.id, op_key, pod_json })
    expect(await pins(merchant)).toMatchObject([{ proofs: 1 }])
  })

  test('is nothing of a proof without a position, and names neither phone nor address', async () => {
    const [merchant, place] = [live(), home()]
    await handOver(merchant, place, { lat: null, lng: null })
    expect(await pins(merchant)).toEqual([])
    await handOver(merchant, place, HERE)
    const [pin] = await pins(merchant)
    expect(pin?.key).toHaveLength(32)
  })
})
