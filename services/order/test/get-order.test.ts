import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { adminCaller, merchantCaller } from '@svc/testing'
import pg from 'pg'
import { creation, type OrderMesh, orderMesh } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

describe('the walls between tenants', () => {
  test("another tenant's order and the other environment's answer exactly like an unknown one", async () => {
    const caller = merchantCaller()
    const { order } = await mesh.orders(caller).createOrder(creation())
    const answers = await Promise.all(
      [
        [merchantCaller(), order?.id ?? ''],
        [{ ...caller, isTest: false }, order?.id ?? ''],
        [caller, randomUUID()],
        [caller, 'no-uuid'],
      ].map(([who, id]) =>
        mesh
          .orders(who as typeof caller)
          .getOrder({ id: id as string })
          .catch((error: unknown) => error),
      ),
    )
    const shown = answers.map((error) => JSON.stringify(error, ['code', 'message', 'details']))
    expect(answers[0]).toMatchObject({ code: 'not_found' })
    expect(new Set(shown).size).toBe(1)
  })

  test('a login sees both environments, an operator every tenant', async () => {
    const caller = merchantCaller()
    const { order } = await mesh.orders(caller).createOrder(creation())
    const id = order?.id ?? ''
    expect((await mesh.orders({ ...caller, isTest: null }).getOrder({ id })).order).toEqual(order)
    expect((await mesh.orders(adminCaller()).getOrder({ id })).order).toEqual(order)
    await expect(
      mesh.orders(adminCaller({ permissions: ['admin.orders.write'] })).getOrder({ id }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('a statement without a tenant fails, and one with a tenant cannot reach past it', async () => {
    const mine = merchantCaller()
    const { order } = await mesh.orders(merchantCaller()).createOrder(creation())
    const app = new pg.Client({ connectionString: mesh.database.url })
    await app.connect()
    try {
      for (const table of ['orders', 'sim_timer', 'idempotency']) {
        await expect(app.query(`SELECT * FROM ${table}`)).rejects.toThrow(/app.tenant_id|uuid/)
      }
      await app.query(`SELECT set_config('app.tenant_id', $1, false)`, [mine.merchantId])
      expect((await app.query('SELECT 1 FROM orders WHERE id = $1', [order?.id])).rowCount).toBe(0)
      expect((await app.query(`UPDATE orders SET status = 'stolen' WHERE id = $1`, [order?.id])).rowCount).toBe(0)
      await expect(app.query('DELETE FROM orders')).rejects.toThrow(/permission denied/)
    } finally {
      await app.end()
    }
  })
})
