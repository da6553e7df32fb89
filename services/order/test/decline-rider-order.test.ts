import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import { merchantCaller, riderCaller } from '@svc/testing'
import pg from 'pg'
import { acceptance, creation, type OrderMesh, orderMesh, summary } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

const byMerchant = { accept: false, actor_type: 'merchant', actor_id: 'key' }

/** An order that its merchant has given to a rider who was not asked, unless the changes say otherwise. */
async function given(changes: object = byMerchant) {
  const merchant = merchantCaller({ isTest: false })
  const { order } = await mesh.orders(merchant).createOrder(creation())
  const id = order!.id
  const riderId = randomUUID()
  const assigned = await mesh.fulfilment().commitAssignment(acceptance(id, summary(riderId), changes))
  const mine = mesh.fulfilment(riderCaller(riderId))
  const set = (status: string) => mesh.orders(merchant).updateOrder({ id, status })
  return { id, riderId, merchant, mine, assigned, set, decline: () => mine.declineRiderOrder({ order_id: id }) }
}
async function asWorker(text: string, values: unknown[]): Promise<void> {
  const worker = new pg.Client({ connectionString: mesh.database.workerUrl })
  await worker.connect()
  await worker.query(text, values)
  await worker.end()
}
const refused = expect.objectContaining({ code: 'invalid_transition' })
const types = async (id: string) => (await mesh.facts(id)).map(({ type }) => type)

describe('an order given without asking', () => {
  test('goes back to its merchant, who is told whose it was and why', async () => {
    const { id, riderId, mine, assigned } = await given()
    expect(assigned.order).toMatchObject({ rider_acted: false })
    const { order } = await mine.declineRiderOrder({ order_id: id, reason: ' too far ' })
    expect(order).toMatchObject({ status: 'pending', rider: undefined, rider_acted: undefined, assignment_version: 2 })
    expect(JSON.parse(order!.unified_json).decline).toMatchObject({ reason: 'too far', actor_id: riderId })
    const facts = await mesh.facts(id)
    expect(facts.at(-1)).toMatchObject({ type: 'order.rider_assigned', fact: { previous_rider_id: riderId } })
    await expect(mine.getRiderOrder({ id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(mine.declineRiderOrder({ order_id: id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test.each(['accepted', 'picked_up', 'anything else'])('goes back also where its merchant says %s', async (status) => {
    const { id, set, decline } = await given()
    await set(status)
    expect((await decline()).order).toMatchObject({ status: status === 'accepted' ? 'pending' : status })
    expect((await types(id)).at(status === 'accepted' ? -2 : -1)).toBe('order.rider_assigned')
  })

  test('goes back also where its rider need not say yes', async () => {
    const { assigned, decline } = await given({ ...byMerchant, accept: true })
    expect(assigned.order).toMatchObject({ status: 'accepted', rider_acted: false })
    expect((await decline()).order).toMatchObject({ status: 'pending' })
  })

  test('goes back once, however often it is declined at once', async () => {
    const { id, decline } = await given()
    const answers = await Promise.allSettled(Array.from({ length: 6 }, decline))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await types(id)).toEqual(['order.created', 'order.rider_assigned', 'order.rider_assigned'])
  })

  test('can be declined again when it is given again', async () => {
    const { id, riderId, decline } = await given()
    await decline()
    const again = { ...byMerchant, expected_assignment_version: 2 }
    await mesh.fulfilment().commitAssignment(acceptance(id, summary(riderId), again))
    expect((await decline()).order).toMatchObject({ rider: undefined })
  })
})

describe('an order that its rider has taken on', () => {
  test('by accepting its offer stays', async () => {
    const { assigned, decline } = await given({})
    expect(assigned.order).toMatchObject({ rider_acted: true })
    await expect(decline()).rejects.toEqual(refused)
  })

  test('by a report of its own stays, also one that says what the merchant has said', async () => {
    const one = await given()
    await one.mine.updateRiderOrderStatus({ order_id: one.id, status: 'accepted' })
    await expect(one.decline()).rejects.toEqual(refused)

    const other = await given()
    await other.set('accepted')
    await other.mine.updateRiderOrderStatus({ order_id: other.id, status: 'accepted' })
    await expect(other.decline()).rejects.toEqual(refused)
  })

  test('stays; the next rider begins anew', async () => {
    const { id } = await given({})
    const riderId = randomUUID()
    const next = { ...byMerchant, expected_assignment_version: 1 }
    const { order } = await mesh.fulfilment().commitAssignment(acceptance(id, summary(riderId), next))
    expect(order).toMatchObject({ status: 'accepted', rider_acted: false })
    const mine = mesh.fulfilment(riderCaller(riderId))
    expect((await mine.declineRiderOrder({ order_id: id })).order).toMatchObject({ status: 'pending' })
  })

  test('or that has ended stays', async () => {
    const { set, decline } = await given()
    await set('cancelled')
    await expect(decline()).rejects.toEqual(refused)
  })

  test('before it was kept who had acted stays while it is under way', async () => {
    const { id, set, decline } = await given()
    await asWorker('UPDATE orders SET rider_acted = NULL WHERE id = $1', [id])
    await set('picked_up')
    await expect(decline()).rejects.toEqual(refused)
  })
})

test('an order of another rider, or of another tenant of the sandbox rider, does not exist', async () => {
  const { id } = await given()
  const stranger = mesh.fulfilment(riderCaller(randomUUID()))
  await expect(stranger.declineRiderOrder({ order_id: id })).rejects.toMatchObject({ code: 'not_found' })

  const merchant = merchantCaller({ isTest: true })
  const { order } = await mesh.orders(merchant).createOrder(creation())
  await mesh.fulfilment().commitAssignment(acceptance(order!.id, summary(SANDBOX_RIDER.id), byMerchant))
  const bound = (merchantId?: string) =>
    mesh.fulfilment(riderCaller(SANDBOX_RIDER.id, { isTest: true, ...(merchantId && { merchantId }) }))
  for (const merchantId of [undefined, randomUUID()])
    await expect(bound(merchantId).declineRiderOrder({ order_id: order!.id })).rejects.toMatchObject({
      code: 'not_found',
    })
  const declined = await bound(merchant.merchantId).declineRiderOrder({ order_id: order!.id })
  expect(declined.order).toMatchObject({ rider: undefined })
})
