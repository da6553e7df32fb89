import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { adminCaller, merchantCaller } from '@svc/testing'
import { creation, type OrderMesh, orderMesh, page } from './order-mesh.ts'

let mesh: OrderMesh
const caller = merchantCaller()
const live = { ...caller, isTest: false }
const both = { ...caller, isTest: null }
const ids: string[] = []

beforeAll(async () => {
  mesh = await orderMesh()
  for (let index = 0; index < 7; index++) {
    const { order } = await mesh
      .orders(caller)
      .createOrder(creation({ external_order_id: `L-${index}`, source: index < 2 ? 'shop' : 'api' }))
    ids.unshift(order?.id ?? '')
  }
  await mesh.orders(caller).updateOrder({ id: ids[0] ?? '', status: 'delivered', payment_verified: true })
  await mesh.orders(live).createOrder(creation({ external_order_id: 'live' }))
  await mesh.orders(merchantCaller()).createOrder(creation())
})
afterAll(() => mesh.stop())

const idsOf = ({ orders }: { orders: Array<{ id: string }> }) => orders.map(({ id }) => id)

describe('a list of orders', () => {
  test('holds the orders of the tenant and its environment, newest first, and their total', async () => {
    const list = await mesh.orders(caller).listOrders(page())
    expect(list).toMatchObject({ total: 7, limit: 50, offset: 0 })
    expect(idsOf(list)).toEqual(ids)
    const [first] = list.orders
    expect(first).toEqual((await mesh.orders(caller).getOrder({ id: first?.id ?? '' })).order)
  })

  test('is paged by offset, and by a cursor that misses and repeats nothing', async () => {
    expect(idsOf(await mesh.orders(caller).listOrders(page(3, 2)))).toEqual(ids.slice(2, 5))
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const list = await mesh.orders(caller).listOrders({ ...page(3), cursor })
      seen.push(...idsOf(list))
      cursor = list.next_cursor
      if (seen.length === 3) await mesh.orders(caller).createOrder(creation({ external_order_id: 'later' }))
    } while (cursor)
    expect(seen).toEqual(ids)
    const later = await mesh.orders(caller).listOrders({ ...page(1), external_order_id: 'later' })
    ids.unshift(...idsOf(later))
  })

  test('is never longer than 200, and says so', async () => {
    expect((await mesh.orders(caller).listOrders(page(5000))).limit).toBe(200)
  })

  test.each([
    [{ ...page(-1) }, 'limit'],
    [{ ...page(0, -1) }, 'offset'],
    [{ ...page(), cursor: 'nonsense' }, 'cursor'],
    [{ ...page(), cursor: Buffer.from(`1.${'-'.repeat(36)}`).toString('base64url') }, 'cursor'],
  ])('refuses %j, naming %s', async (request, field) => {
    await expect(mesh.orders(caller).listOrders(request)).rejects.toMatchObject({
      code: 'validation_error',
      details: { field },
    })
  })

  test.each([
    [{ source: 'shop' }, 2],
    [{ external_order_id: 'L-3' }, 1],
    [{ external_order_id: 'L' }, 0],
    [{ external_order_id: "'; DROP TABLE orders; -- ?" }, 0],
    [{ status: 'delivered' }, 1],
    [{ status: 'pending' }, 7],
    [{ payment_verified: true }, 1],
    [{ payment_verified: false }, 7],
    [{ is_test: true }, 8],
    [{ is_test: false }, 0],
    [{ status: 'pending', source: 'shop' }, 2],
    [{ merchant_id: '00000000-0000-4000-8000-000000000000' }, 8],
  ])('filtered by %j has %d', async (filter, total) => {
    const list = await mesh.orders(caller).listOrders({ ...page(), ...filter })
    expect([list.total, list.orders.length]).toEqual([total, total])
  })

  test('shows a login both environments unless it asks for one', async () => {
    expect((await mesh.orders(both).listOrders(page())).total).toBe(9)
    expect((await mesh.orders(both).listOrders({ ...page(), is_test: false })).orders).toMatchObject([
      { external_order_id: 'live' },
    ])
  })

  test('needs a scope that reads or writes orders', async () => {
    expect((await mesh.orders({ ...caller, scopes: ['orders:read'] }).listOrders(page())).total).toBe(8)
    await expect(mesh.orders({ ...caller, scopes: ['webhooks:manage'] }).listOrders(page())).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test("shows operators with the permission every merchant's orders, or one's", async () => {
    expect((await mesh.orders(adminCaller()).listOrders(page())).total).toBe(10)
    expect((await mesh.orders(adminCaller()).listOrders({ ...page(), merchant_id: caller.merchantId })).total).toBe(9)
    await expect(mesh.orders(adminCaller({ permissions: [] })).listOrders(page())).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})
