import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { OrderFact } from '@svc/contracts/order/v1/order'
import { CashFact } from '@svc/contracts/wallet/v1/cash'
import { SANDBOX_RIDER } from '@svc/credentials'
import { kafkaProducer } from '@svc/kafka'
import { eventually, riderCaller } from '@svc/testing'
import { eventIdOf } from '@svc/transact'
import {
  createOrder,
  factOf,
  fleetRider,
  insertMerchant,
  insertRateCard,
  offersOf,
  offerTo,
} from './assignment-fixture.ts'
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

test('sums of cash that are no number any more end no search: who carries them is above the cap', async () => {
  const { merchant, rider } = await loaded()
  await insertCarriedOrder(mesh, { merchantId: merchant.merchantId as string, riderId: rider })
  await mesh.sql(
    `UPDATE dispatch_jobs SET cod_amount_minor = ${Number.MAX_SAFE_INTEGER}
      WHERE order_id IN (SELECT order_id FROM rider_active WHERE rider_id = $1)`,
    [rider],
  )
  await mesh.sql(
    `INSERT INTO rider_cash (rider_id, merchant_id, currency, told_minor)
     SELECT $1, gen_random_uuid(), '', ${Number.MAX_SAFE_INTEGER} FROM generate_series(1, 1100)`,
    [rider],
  )
  const other = await fleetRider(mesh, merchant, 2_000)
  const orderId = await createOrder(mesh, merchant, cash(1))
  expect((await offerTo(mesh, other)).order_id).toBe(orderId)
})

test('an offer says what its rider is to collect, in which currency, and nothing where that is nothing', async () => {
  const shown = async (standardized: Record<string, unknown>) => {
    const merchant = await insertMerchant(mesh)
    const rider = await fleetRider(mesh, merchant, 10)
    const orderId = await createOrder(mesh, merchant, standardized)
    const offer = await offerTo(mesh, rider)
    expect(offer.order_id).toBe(orderId)
    return [offer.cod_amount_minor, offer.cod_currency]
  }
  expect(await shown(cash(2_500))).toEqual([2_500, 'NGN'])
  expect(await shown({ ...cash(700), cod_currency: 'GHS' })).toEqual([700, 'GHS'])
  expect(await shown(cash(0))).toEqual([undefined, undefined])
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
  const payload = Buffer.from(CashFact.encode(CashFact.fromPartial({ account })).finish())
  await announce('wallet', 'wallet.cash_changed', { key: riderId, merchantId, version, payload })
}

interface Announced {
  key: string
  merchantId: string
  version: number
  payload: Buffer
}

async function announce(source: string, type: string, { key, merchantId, version, payload }: Announced): Promise<void> {
  const headers = {
    ce_specversion: '1.0',
    ce_id: eventIdOf(key, merchantId, version),
    ce_type: type,
    ce_source: source,
    ce_time: new Date().toISOString(),
    ce_aggregateversion: String(version),
    ce_merchantid: merchantId,
    ce_istest: 'false',
  }
  const topic = `${mesh.environment['TOPIC_PREFIX']}svc.${source}.v1`
  await producer.send([{ topic, key, payload, headers }])
}

type Told = NonNullable<OrderFact['order']>

/** Tells of an order as the order service would. */
async function announceOrder(order: Told): Promise<void> {
  const payload = Buffer.from(OrderFact.encode(OrderFact.fromPartial({ order })).finish())
  const { id: key, merchant_id: merchantId, version } = order
  await announce('order', 'order.status_updated', { key, merchantId, version, payload })
}

const heard = (orderId: string, version: number) =>
  eventually(async () =>
    expect(await mesh.sql('SELECT order_version FROM dispatch_jobs WHERE order_id = $1', [orderId])).toEqual([
      { order_version: version },
    ]),
  )

describe('cash that an order tells of', () => {
  /** An order that the rider has delivered and taken 60000 for, as it was told last. */
  async function collected(): Promise<{ rider: string; told: Told }> {
    const merchant = await insertMerchant(mesh, freelancersOff)
    const rider = await fleetRider(mesh, merchant, 10)
    const orderId = await createOrder(mesh, merchant, cash(60_000))
    await offerTo(mesh, rider)
    await accept(rider, orderId)
    for (const status of ['picked_up', 'delivered'])
      await mesh.fulfilment(riderCaller(rider)).updateRiderOrderStatus({ order_id: orderId, status })
    await eventually(async () => expect(await toldOf(rider)).toEqual([{ told_minor: 60_000 }]))
    const told = (await factOf(mesh, orderId, 'order.status_updated'))?.order
    return { rider, told: told! }
  }
  const toldOf = (rider: string) =>
    mesh.sql('SELECT told_minor::int FROM rider_cash WHERE rider_id = $1 ORDER BY merchant_id, currency', [rider])

  test('counts once: what comes of it after it was forgotten adds nothing', async () => {
    const { rider, told } = await collected()
    for (const table of ['dispatch_offers', 'dispatch_rounds', 'rider_active', 'dispatch_jobs'])
      await mesh.sql(`DELETE FROM ${table} WHERE order_id = $1`, [told.id])
    const created_at = new Date(Date.now() - 91 * 86_400_000).toISOString()
    await announceOrder({ ...told, created_at, version: told.version + 1 })
    await heard(told.id, told.version + 1)
    expect(await toldOf(rider)).toEqual([{ told_minor: 60_000 }])
  }, 120_000)

  test('is in the hands of who took it, whoever the order has been given to since', async () => {
    const { rider, told } = await collected()
    const other = await fleetRider(mesh, riderCaller(randomUUID(), { merchantId: told.merchant_id }), 5_000)
    const id = randomUUID()
    await announceOrder({ ...told, id, rider: { ...told.rider!, id: other } })
    await heard(id, told.version)
    expect(await toldOf(other)).toEqual([])
    expect(await toldOf(rider)).toEqual([{ told_minor: 120_000 }])
  }, 120_000)
})

test('a test order is offered whatever it has to collect', async () => {
  const merchant = { ...(await insertMerchant(mesh)), isTest: true }
  const orderId = await createOrder(mesh, merchant, cash(5_000_000))
  await eventually(async () => expect(await offersOf(mesh, orderId)).toMatchObject([{ rider_id: SANDBOX_RIDER.id }]))
})
