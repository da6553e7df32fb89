import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { CashFact } from '@svc/contracts/wallet/v1/cash'
import { SANDBOX_RIDER } from '@svc/credentials'
import { kafkaProducer } from '@svc/kafka'
import { eventually, riderCaller } from '@svc/testing'
import { eventIdOf } from '@svc/transact'
import { createOrder, fleetRider, insertMerchant, insertRateCard, offersOf, offerTo } from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertCarriedOrder } from './riders-fixture.ts'

let mesh: DispatchMesh
let producer: ReturnType<typeof kafkaProducer>
beforeAll(async () => {
  mesh = await dispatchMesh({ RIDER_COD_CAP_MINOR: '100000' })
  producer = kafkaProducer({ brokers: mesh.environment['KAFKA_BROKERS']!.split(','), clientId: 'test' })
  await insertRateCard(mesh)
})
afterAll(async () => {
  await producer.stop()
  await mesh.stop()
})

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

const freelancersOff = { fleetOnly: true }
const accept = async (rider: string, orderId: string) => {
  const own = mesh.assignments(riderCaller(rider))
  const { offers } = await own.listDispatchOffers({})
  return own.acceptDispatchOffer({ offer_id: offers.find(({ order_id }) => order_id === orderId)!.id })
}

test('cash that was collected counts until it is handed over, and an order without cash is offered all the same', async () => {
  const merchant = await insertMerchant(mesh, freelancersOff)
  const rider = await fleetRider(mesh, merchant, 10)
  const first = await createOrder(mesh, merchant, cash(60_000))
  await offerTo(mesh, rider)
  await accept(rider, first)
  for (const status of ['picked_up', 'delivered'])
    await mesh.fulfilment(riderCaller(rider)).updateRiderOrderStatus({ order_id: first, status })
  const held = () => mesh.sql('SELECT told_minor::int FROM rider_cash WHERE rider_id = $1 ORDER BY currency', [rider])
  await eventually(async () => expect(await held()).toEqual([{ told_minor: 60_000 }]))

  const second = await createOrder(mesh, merchant, cash(40_001))
  await eventually(async () => {
    const { rounds } = await mesh.assignments(merchant).getDispatchTrace({ order_id: second })
    expect(rounds[0]?.candidates).toContainEqual(
      expect.objectContaining({ rider_id: rider, included: false, reason: 'cod_cap' }),
    )
  })
  expect(await offersOf(mesh, second)).toEqual([])
  const paid = await createOrder(mesh, merchant)
  await eventually(async () => expect(await offersOf(mesh, paid)).toMatchObject([{ rider_id: rider }]))

  await announceCash(rider, merchant.merchantId as string, { collected: 60_000, inHand: 1_000 }, 2)
  await announceCash(rider, merchant.merchantId as string, { collected: 60_000, inHand: 60_000 }, 1)
  const third = await createOrder(mesh, merchant, cash(99_000))
  await eventually(async () => expect(await offersOf(mesh, third)).toMatchObject([{ rider_id: rider }]))
}, 180_000)

test('two acceptances at once do not pass the cap together', async () => {
  const merchant = await insertMerchant(mesh, freelancersOff)
  const rider = await fleetRider(mesh, merchant, 10)
  const orders = [await createOrder(mesh, merchant, cash(60_000)), await createOrder(mesh, merchant, cash(60_000))]
  for (const orderId of orders)
    await eventually(async () => expect(await offersOf(mesh, orderId)).toMatchObject([{ rider_id: rider }]))
  const answers = await Promise.allSettled(orders.map((orderId) => accept(rider, orderId)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'rider_unavailable', details: { reason: 'cod_cap' } },
  })
}, 120_000)

/** Tells of a cash account as the wallet would. */
async function announceCash(
  riderId: string,
  merchantId: string,
  { collected, inHand }: { collected: number; inHand: number },
  version: number,
): Promise<void> {
  const account = {
    rider_id: riderId,
    merchant_id: merchantId,
    currency: 'NGN',
    in_hand_minor: inHand,
    collected_minor: collected,
    remitted_minor: collected - inHand,
  }
  const payload = CashFact.encode(CashFact.fromPartial({ account })).finish()
  const headers = {
    ce_specversion: '1.0',
    ce_id: eventIdOf(riderId, merchantId, version),
    ce_type: 'wallet.cash_changed',
    ce_source: 'wallet',
    ce_time: new Date().toISOString(),
    ce_aggregateversion: String(version),
    ce_merchantid: merchantId,
    ce_istest: 'false',
  }
  const topic = `${mesh.environment['TOPIC_PREFIX']}svc.wallet.v1`
  await producer.send([{ topic, key: riderId, payload: Buffer.from(payload), headers }])
}

test('a test order is offered whatever it has to collect', async () => {
  const merchant = { ...(await insertMerchant(mesh)), isTest: true }
  const orderId = await createOrder(mesh, merchant, cash(5_000_000))
  await eventually(async () => expect(await offersOf(mesh, orderId)).toMatchObject([{ rider_id: SANDBOX_RIDER.id }]))
})
