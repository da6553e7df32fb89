import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import { eventually } from '@svc/testing'
import { createOrder, fleetRider, insertMerchant, insertRateCard, offersOf, offerTo } from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertCarriedOrder } from './riders-fixture.ts'

let mesh: DispatchMesh
beforeAll(async () => {
  mesh = await dispatchMesh({ RIDER_COD_CAP_MINOR: '100000' })
  await insertRateCard(mesh)
})
afterAll(() => mesh.stop())

const cash = (cod_amount_minor: number) => ({ cod_amount_minor })

/** A merchant, and a rider of its fleet who has an order to collect 60000 for and is nearer than anybody. */
async function loaded() {
  const merchant = await insertMerchant(mesh)
  const merchantId = merchant.merchantId as string
  const rider = await fleetRider(mesh, merchant, 10)
  const orderId = await insertCarriedOrder(mesh, { merchantId, riderId: rider })
  await mesh.sql('UPDATE dispatch_jobs SET cod_amount_minor = 60000 WHERE order_id = $1', [orderId])
  return { merchant, rider }
}

test('who would carry more cash than the cap is not asked, the next one is, and the trace says why', async () => {
  const { merchant, rider } = await loaded()
  const other = await fleetRider(mesh, merchant, 2_000)
  const orderId = await createOrder(mesh, merchant, cash(40_001))
  expect((await offerTo(mesh, other)).order_id).toBe(orderId)
  expect(await offersOf(mesh, orderId)).toHaveLength(1)
  const { rounds } = await mesh.assignments(merchant).getDispatchTrace({ order_id: orderId })
  expect(rounds[0]!.candidates).toContainEqual(
    expect.objectContaining({ rider_id: rider, included: false, reason: 'cod_cap' }),
  )
})

test('as much as the cap is carried', async () => {
  const { merchant, rider } = await loaded()
  const orderId = await createOrder(mesh, merchant, cash(40_000))
  expect((await offerTo(mesh, rider)).order_id).toBe(orderId)
})

test('a test order is offered whatever it has to collect', async () => {
  const merchant = { ...(await insertMerchant(mesh)), isTest: true }
  const orderId = await createOrder(mesh, merchant, cash(5_000_000))
  await eventually(async () => expect(await offersOf(mesh, orderId)).toMatchObject([{ rider_id: SANDBOX_RIDER.id }]))
})
