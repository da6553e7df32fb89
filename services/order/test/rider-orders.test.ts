import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import { merchantCaller, riderCaller } from '@svc/testing'
import { acceptance, creation, type OrderMesh, orderMesh, page, summary } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

async function placeFor(riderId: string, caller = merchantCaller({ isTest: false })): Promise<string> {
  const { order } = await mesh.orders(caller).createOrder(creation())
  const id = order?.id ?? ''
  await mesh.fulfilment().commitAssignment(acceptance(id, summary(riderId)))
  return id
}

const idsOf = (list: { orders: Array<{ id: string }> }) => list.orders.map(({ id }) => id)

describe('the orders of a rider', () => {
  test('are those of every merchant, newest first, and of no other rider', async () => {
    const riderId = randomUUID()
    const ids = [await placeFor(riderId), await placeFor(riderId)]
    await placeFor(randomUUID())
    const mine = mesh.fulfilment(riderCaller(riderId))
    const list = await mine.listRiderOrders(page())
    expect(list).toMatchObject({ total: 2, limit: 50, offset: 0 })
    expect(idsOf(list)).toEqual(ids.toReversed())
    expect((await mine.getRiderOrder({ id: ids[0] ?? '' })).order).toEqual(list.orders[1])
  })

  test('are filtered by status and paged, with a limit of 200 at most', async () => {
    const riderId = randomUUID()
    const ids = [await placeFor(riderId), await placeFor(riderId), await placeFor(riderId)]
    const mine = mesh.fulfilment(riderCaller(riderId))
    await mine.updateRiderOrderStatus({ order_id: ids[1] ?? '', status: 'picked_up' })
    expect(idsOf(await mine.listRiderOrders({ ...page(), status: 'picked_up' }))).toEqual([ids[1]])
    expect(idsOf(await mine.listRiderOrders(page(1, 1)))).toEqual([ids[1]])
    expect(await mine.listRiderOrders(page(201))).toMatchObject({ limit: 200, total: 3 })
    await expect(mine.listRiderOrders(page(-1))).rejects.toMatchObject({ details: { field: 'limit' } })
  })

  test('of another rider answer like unknown ones, to reads and writes', async () => {
    const id = await placeFor(randomUUID())
    const stranger = mesh.fulfilment(riderCaller(randomUUID()))
    for (const target of [id, randomUUID(), 'no-uuid']) {
      await expect(stranger.getRiderOrder({ id: target })).rejects.toMatchObject({ code: 'not_found' })
      await expect(stranger.updateRiderOrderStatus({ order_id: target, status: 'picked_up' })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
  })

  test('that went to another rider are no longer theirs', async () => {
    const riderId = randomUUID()
    const id = await placeFor(riderId)
    await mesh.fulfilment().commitAssignment(acceptance(id, summary(), { expected_assignment_version: 1 }))
    const former = mesh.fulfilment(riderCaller(riderId))
    expect(await former.listRiderOrders(page())).toMatchObject({ orders: [], total: 0 })
    await expect(former.getRiderOrder({ id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('are no matter of merchants; dispatch may read any', async () => {
    const id = await placeFor(randomUUID())
    const merchant = mesh.fulfilment(merchantCaller())
    await expect(merchant.listRiderOrders(page())).rejects.toMatchObject({ code: 'forbidden' })
    await expect(merchant.getRiderOrder({ id })).rejects.toMatchObject({ code: 'forbidden' })
    expect((await mesh.fulfilment().getRiderOrder({ id })).order?.id).toBe(id)
  })
})

describe('the shared sandbox rider', () => {
  test('sees test orders of the merchant that its token is bound to, and nothing without one', async () => {
    const [owner, other] = [merchantCaller(), merchantCaller()]
    const id = await placeFor(SANDBOX_RIDER.id, owner)
    const sandbox = (merchantId?: string) =>
      mesh.fulfilment(riderCaller(SANDBOX_RIDER.id, { isTest: true, ...(merchantId && { merchantId }) }))

    expect(idsOf(await sandbox(owner.merchantId).listRiderOrders(page()))).toEqual([id])
    for (const unbound of [sandbox(), sandbox(other.merchantId)]) {
      expect(await unbound.listRiderOrders(page(300, 2))).toMatchObject({ orders: [], total: 0, limit: 200, offset: 2 })
      await expect(unbound.getRiderOrder({ id })).rejects.toMatchObject({ code: 'not_found' })
      await expect(unbound.updateRiderOrderStatus({ order_id: id, status: 'picked_up' })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    const { order } = await sandbox(owner.merchantId).updateRiderOrderStatus({ order_id: id, status: 'picked_up' })
    expect(order?.status).toBe('picked_up')
  })

  test('reports under ids that are its own tenant’s: those of another tenant neither block them nor show', async () => {
    for (const tenant of [merchantCaller(), merchantCaller()]) {
      const order_id = await placeFor(SANDBOX_RIDER.id, tenant)
      const bound = riderCaller(SANDBOX_RIDER.id, { isTest: true, merchantId: tenant.merchantId as string })
      const report = { order_id, status: 'picked_up', client_event_id: 'evt-1' }
      expect((await mesh.fulfilment(bound).updateRiderOrderStatus(report)).order?.status).toBe('picked_up')
    }
  })

  test('reaches no live order, whatever it is given', async () => {
    const caller = merchantCaller({ isTest: false })
    const { order } = await mesh.orders(caller).createOrder(creation())
    const sandbox = mesh.fulfilment(
      riderCaller(SANDBOX_RIDER.id, { isTest: true, merchantId: caller.merchantId ?? '' }),
    )
    await expect(sandbox.getRiderOrder({ id: order?.id ?? '' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
