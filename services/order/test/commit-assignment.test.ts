import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import { merchantCaller, onceAvailable, riderCaller } from '@svc/testing'
import { acceptance, creation, type OrderMesh, orderMesh, summary } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

const merchant = () => merchantCaller({ isTest: false })

async function place(caller = merchant()): Promise<string> {
  const { order } = await mesh.orders(caller).createOrder(creation())
  return order?.id ?? ''
}

const announced = async (id: string) => (await mesh.facts(id)).slice(1).map(({ type }) => type)
const commit = (request: ReturnType<typeof acceptance>) => mesh.fulfilment().commitAssignment(request)
const nobody = (id: string, version: number) =>
  mesh.fulfilment().commitAssignment({ ...acceptance(id), rider: undefined, expected_assignment_version: version })

describe('a rider who accepts', () => {
  test('has the order, which is accepted and says who brings it, everywhere', async () => {
    const caller = merchant()
    const id = await place(caller)
    const rider = summary()
    const reply = await commit(acceptance(id, rider))
    expect(reply).toMatchObject({ outcome: 'applied', order: { status: 'accepted', rider, assignment_version: 1 } })
    expect(reply.previous_rider_id).toBeUndefined()
    const { order } = await mesh.orders(caller).getOrder({ id })
    expect(order).toEqual(reply.order)
    expect(JSON.parse(order?.unified_json ?? '').standardized.rider_id).toBe(rider.id)
    const facts = await mesh.facts(id)
    expect(facts.slice(1).map(({ type, fact }) => [type, fact.order?.rider?.name])).toEqual([
      ['order.rider_assigned', 'Bola Ade'],
      ['order.accepted', 'Bola Ade'],
    ])
  })

  test('wins alone however many accept at once: one applied, the others lost to the fence, one assignment announced', async () => {
    const id = await place()
    const replies = await Promise.all(Array.from({ length: 20 }, () => onceAvailable(() => commit(acceptance(id)))))
    const won = replies.filter(({ outcome }) => outcome === 'applied')
    expect(won).toHaveLength(1)
    expect(replies.filter(({ reason }) => reason === 'assignment_version')).toHaveLength(19)
    expect(await announced(id)).toEqual(['order.rider_assigned', 'order.accepted'])
    expect((await mesh.facts(id)).at(-1)?.fact.order?.rider?.id).toBe(won[0]?.order?.rider?.id)
  })

  test('is told the same by every repeat, whatever happened since', async () => {
    const id = await place()
    const [won, lost] = [acceptance(id), acceptance(id)]
    await commit(won)
    await commit(lost)
    await nobody(id, 1)
    expect(await commit(won)).toMatchObject({ outcome: 'applied', order: { status: 'pending' } })
    expect(await commit(lost)).toMatchObject({ outcome: 'lost', reason: 'assignment_version' })
    expect(await announced(id)).toEqual([
      'order.rider_assigned',
      'order.accepted',
      'order.rider_assigned',
      'order.status_updated',
    ])
  })

  test('after the end has lost, and what the order is stays', async () => {
    for (const status of ['delivered', 'cancelled', 'returned_to_merchant', 'lost_in_transit']) {
      const caller = merchant()
      const id = await place(caller)
      await mesh.orders(caller).updateOrder({ id, status })
      const reply = await commit(acceptance(id))
      expect(reply).toMatchObject({ outcome: 'lost', reason: 'order_terminal', order: { status } })
      expect(reply.order?.rider).toBeUndefined()
    }
  })
})

describe('an assignment that nobody accepted', () => {
  test('leaves the status and says order.rider_assigned alone', async () => {
    const id = await place()
    const reply = await commit(acceptance(id, summary(), { accept: false }))
    expect(reply).toMatchObject({ outcome: 'applied', order: { status: 'pending', assignment_version: 1 } })
    expect(await announced(id)).toEqual(['order.rider_assigned'])
  })

  test('of the rider who has it already changes and announces nothing', async () => {
    const id = await place()
    const rider = summary()
    await commit(acceptance(id, rider))
    const again = acceptance(id, rider, { accept: false, expected_assignment_version: 1 })
    expect(await commit(again)).toMatchObject({ outcome: 'applied', order: { assignment_version: 1, version: 3 } })
    expect(await announced(id)).toHaveLength(2)
  })

  test('to another rider names the one before and leaves a collected order collected', async () => {
    const caller = merchant()
    const id = await place(caller)
    const first = summary()
    await commit(acceptance(id, first))
    await mesh.orders(caller).updateOrder({ id, status: 'picked_up' })
    const reply = await commit(acceptance(id, summary(), { expected_assignment_version: 1 }))
    expect(reply).toMatchObject({ previous_rider_id: first.id, order: { status: 'picked_up', assignment_version: 2 } })
    const facts = await mesh.facts(id)
    expect(facts.at(-1)).toMatchObject({ type: 'order.rider_assigned', fact: { previous_rider_id: first.id } })
  })
})

describe('taking the rider off', () => {
  test('lets an accepted order wait again and names the rider it had', async () => {
    const id = await place()
    const rider = summary()
    await commit(acceptance(id, rider))
    const reply = await nobody(id, 1)
    expect(reply).toMatchObject({ previous_rider_id: rider.id, order: { status: 'pending', assignment_version: 2 } })
    expect(reply.order?.rider).toBeUndefined()
    const [assigned, updated] = (await mesh.facts(id)).slice(-2)
    expect(assigned).toMatchObject({ type: 'order.rider_assigned', fact: { previous_rider_id: rider.id } })
    expect(assigned?.fact.order?.rider).toBeUndefined()
    expect(updated).toMatchObject({ type: 'order.status_updated', fact: { previous_status: 'accepted' } })
    expect(JSON.parse(reply.order?.unified_json ?? '').standardized).not.toHaveProperty('rider_id')
  })

  test('of an order that has none changes nothing', async () => {
    const id = await place()
    expect(await nobody(id, 0)).toMatchObject({ outcome: 'applied', order: { assignment_version: 0, version: 1 } })
    expect(await announced(id)).toEqual([])
  })
})

describe('who may commit what', () => {
  test('only dispatch', async () => {
    const id = await place()
    for (const caller of [merchant(), riderCaller(randomUUID())]) {
      await expect(mesh.fulfilment(caller).commitAssignment(acceptance(id))).rejects.toMatchObject({
        code: 'forbidden',
      })
    }
  })

  test('the sandbox rider carries test orders only, and nobody else carries them', async () => {
    const [live, trial] = [await place(), await place(merchantCaller())]
    const sandbox = summary(SANDBOX_RIDER.id)
    await expect(commit(acceptance(live, sandbox))).rejects.toMatchObject({ code: 'test_rider_required' })
    await expect(commit(acceptance(trial))).rejects.toMatchObject({ code: 'test_rider_required' })
    expect(await commit(acceptance(trial, sandbox))).toMatchObject({
      outcome: 'applied',
      order: { rider: { phone: SANDBOX_RIDER.phone } },
    })
  })

  test('a key of a merchant never means two things', async () => {
    const caller = merchant()
    const [one, other] = [await place(caller), await place(caller)]
    const request = acceptance(one)
    await commit(request)
    await expect(commit({ ...request, order_id: other })).rejects.toMatchObject({ code: 'idempotency_conflict' })
    await expect(commit({ ...request, op_key: '' })).rejects.toMatchObject({ details: { field: 'op_key' } })
    await expect(commit(acceptance(randomUUID()))).rejects.toMatchObject({ code: 'not_found' })
  })
})
