import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { merchantCaller } from '@svc/testing'
import { purgeTestOrders } from '../src/use-cases/purge-test-orders.ts'
import { type OrderMesh, orderMesh } from './order-mesh.ts'
import { draft, pricing } from './shipment-fixture.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh({ SWEEP_INTERVAL_MS: '3600000' }, { dispatch: pricing().dispatch })
})
afterAll(() => mesh.stop())

/** For how many days the oldest row of each table has been past its time. */
async function overdueDays(): Promise<Record<string, number>> {
  const metrics = await (await fetch(`http://${mesh.service.opsAddress()}/metrics`)).text()
  const found = metrics.matchAll(/^expired_oldest_seconds\{[^}]*table="(\w+)"[^}]*\} (\S+)/gm)
  return Object.fromEntries([...found].map(([, table, seconds]) => [table, Number(seconds) / 86_400]))
}

test('test orders and shipments past their time show in the metric until they are deleted, by no process that stops; live ones of that age are none', async () => {
  const ids = [await draft(mesh, merchantCaller(), 2), await draft(mesh, merchantCaller({ isTest: false }), 2)]
  for (const [table, own] of [
    ['orders', 'shipment_id'],
    ['shipments', 'id'],
  ])
    await mesh.service.context.database.worker.query(
      `UPDATE ${table} SET created_at = now() - interval '400 days' WHERE ${own} = ANY ($1)`,
      [ids],
    )
  const overdue = await overdueDays()
  for (const table of ['orders', 'shipments']) expect(Math.round(overdue[table] ?? 0)).toBe(370)
  expect(await purgeTestOrders(mesh.service.context, AbortSignal.abort())).toBe(0)
  expect(Math.round((await overdueDays())['orders'] ?? 0)).toBe(370)
  await purgeTestOrders(mesh.service.context)
  expect(await overdueDays()).toMatchObject({ orders: 0, shipments: 0 })
  const left = await mesh.rows<{ id: string }>('SELECT id FROM shipments WHERE id = ANY ($1)', [ids])
  expect(left.map(({ id }) => id)).toEqual([ids[1]])
})
