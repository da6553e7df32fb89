import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@svc/testing'
import { createOrder, insertMerchant, insertRateCard } from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'

let mesh: DispatchMesh

beforeAll(async () => {
  mesh = await dispatchMesh({ SWEEP_INTERVAL_MS: '100' })
  await insertRateCard(mesh)
}, 60_000)
afterAll(() => mesh?.stop())

const known = async (orderId: string) =>
  (await mesh.sql('SELECT 1 FROM dispatch_jobs WHERE order_id = $1', [orderId])).length === 1

test('an order that is past its time goes with all that hangs on it; a younger one stays', async () => {
  const merchant = await insertMerchant(mesh)
  const [old, young] = [await createOrder(mesh, merchant), await createOrder(mesh, merchant)]
  await eventually(async () => (await known(old)) && (await known(young)))
  await eventually(async () => {
    const rounds = await mesh.sql('SELECT 1 FROM dispatch_rounds WHERE order_id = $1', [old])
    return rounds.length > 0
  })
  await mesh.sql(
    "UPDATE dispatch_jobs SET order_created_at = order_created_at - interval '91 days' WHERE order_id = $1",
    [old],
  )
  await eventually(async () => !(await known(old)))
  expect(await mesh.sql('SELECT 1 FROM dispatch_rounds WHERE order_id = $1', [old])).toEqual([])
  expect(await known(young)).toBe(true)
})

test('a test order goes after thirty days, as it does where it lives', async () => {
  const merchant = { ...(await insertMerchant(mesh)), isTest: true }
  const orderId = await createOrder(mesh, merchant)
  await eventually(() => known(orderId))
  await mesh.sql(
    "UPDATE dispatch_jobs SET order_created_at = order_created_at - interval '31 days' WHERE order_id = $1",
    [orderId],
  )
  await eventually(async () => !(await known(orderId)))
})
