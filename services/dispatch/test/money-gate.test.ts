import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, riderCaller } from '@svc/testing'
import {
  createOrder,
  DROPOFF,
  factsOf,
  fleetRider,
  insertMerchant,
  insertRateCard,
  movableClock,
  offersOf,
  PICKUP,
  reportPosition,
} from './assignment-fixture.ts'
import type { DispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'
import { type MeshWithWallet, withWallet } from './with-wallet.ts'

let dieAt: string | null = null
function failpoint(name: string): void {
  if (name !== dieAt) return
  dieAt = null
  throw new Error(`killed at: ${name}`)
}

let money: MeshWithWallet
let mesh: DispatchMesh
let away: Awaited<ReturnType<MeshWithWallet['replicaWithoutReach']>>
beforeAll(async () => {
  money = await withWallet({ RIDER_MAX_ACTIVE_ORDERS: '20' }, { failpoint })
  mesh = money.mesh
  away = await money.replicaWithoutReach()
  await insertRateCard(mesh)
})
// Freelancers are everybody's: those of one test are not asked by the next.
afterEach(async () => {
  dieAt = null
  await mesh.sql('UPDATE riders SET is_online = false WHERE id <> $1', [SANDBOX_RIDER.id])
})
afterAll(async () => {
  await away?.stop()
  await money?.stop()
})

const NOWHERE = { pickup_lat: undefined, pickup_lng: undefined, dropoff_lat: undefined, dropoff_lng: undefined }
const assign = (caller: Caller, order_id: string, rider_id?: string, merchant_id?: string) =>
  mesh.assignments(caller).assignRider({ order_id, rider_id, merchant_id })
const accept = (riderId: string, offer_id: string) =>
  mesh.assignments(riderCaller(riderId)).acceptDispatchOffer({ offer_id })
const byHand = (fleetOnly = false) => insertMerchant(mesh, { autoDispatch: false, fleetOnly })
const tooLittle = (required_minor: number, balance_minor: number) =>
  expect.objectContaining({
    code: 'insufficient_wallet_for_freelancer_order',
    details: { required_minor, balance_minor },
  })
const feeOf = async (merchant: Caller, id: string) => (await mesh.orders(merchant).getOrder({ id })).order!.fee_minor!
const activeOf = (orderId: string) => mesh.sql('SELECT rider_id FROM rider_active WHERE order_id = $1', [orderId])
/** The rider's offer of that order, once it is there: freelancers may be asked for what earlier tests left behind. */
const offerOf = (riderId: string, orderId: string): Promise<string> =>
  eventually(
    async () => {
      const { offers } = await mesh.assignments(riderCaller(riderId)).listDispatchOffers({})
      return offers.find(({ order_id }) => order_id === orderId)?.id ?? null
    },
    { message: 'no offer came' },
  )
async function freelancerNearby(): Promise<string> {
  const riderId = await insertRider(mesh)
  await reportPosition(mesh, riderId, PICKUP)
  return riderId
}

async function expectUntouched(orderId: string, offers: object[] = []): Promise<void> {
  expect(await offersOf(mesh, orderId)).toEqual(offers)
  expect(await activeOf(orderId)).toEqual([])
  expect(await factsOf(mesh, orderId)).toEqual(['order.created'])
}

describe('a freelancer is given what the merchant can pay', () => {
  test.each(['a merchant', 'an operator'])(
    'by %s: not a unit less than the fee, and a refusal leaves nothing',
    async (who) => {
      const merchant = await byHand()
      const by = who === 'a merchant' ? merchant : adminCaller()
      const rider = await insertRider(mesh)
      const orderId = await createOrder(mesh, merchant)
      const fee = await feeOf(merchant, orderId)
      await money.give(merchant, fee - 1)
      await expect(assign(by, orderId, rider, merchant.merchantId)).rejects.toEqual(tooLittle(fee, fee - 1))
      await expectUntouched(orderId)
      await money.give(merchant, 1)
      expect((await assign(by, orderId, rider, merchant.merchantId)).order!.rider).toMatchObject({ id: rider })
    },
  )

  test('by a yes to an offer: a refusal leaves the offer standing until there is money', async () => {
    const merchant = await insertMerchant(mesh)
    const rider = await freelancerNearby()
    const orderId = await createOrder(mesh, merchant)
    const fee = await feeOf(merchant, orderId)
    const offerId = await offerOf(rider, orderId)
    await expect(accept(rider, offerId)).rejects.toEqual(tooLittle(fee, 0))
    await expectUntouched(orderId, [{ rider_id: rider, state: 'pending', kind: 'auto' }])
    await money.give(merchant, fee)
    expect((await accept(rider, offerId)).order).toMatchObject({ status: 'accepted', rider: { id: rider } })
  })

  test('a live order without a price takes the floor', async () => {
    const merchant = await byHand()
    const rider = await insertRider(mesh)
    const orderId = await createOrder(mesh, merchant, NOWHERE)
    await money.give(merchant, 49_999)
    await expect(assign(merchant, orderId, rider)).rejects.toEqual(tooLittle(50_000, 49_999))
    await money.give(merchant, 1)
    await assign(merchant, orderId, rider)
  })

  test('a test order is measured by the sandbox wallet and its price alone', async () => {
    const merchant = { ...(await byHand()), isTest: true }
    await money.setSandbox(merchant, 10)
    await money.give(merchant, 10_000_000)
    const priced = await createOrder(mesh, merchant)
    const fee = await feeOf(merchant, priced)
    await expect(assign(merchant, priced, SANDBOX_RIDER.id)).rejects.toEqual(tooLittle(fee, 10))
    await assign(merchant, await createOrder(mesh, merchant, NOWHERE), SANDBOX_RIDER.id)
    await money.setSandbox(merchant, fee)
    await assign(merchant, priced, SANDBOX_RIDER.id)
  })

  test('what a merchant has is told to nobody whom its offers do not reach', async () => {
    const merchant = { ...(await insertMerchant(mesh)), isTest: true }
    await money.setSandbox(merchant, 10)
    const orderId = await createOrder(mesh, merchant)
    const [offer] = await eventually(async () => {
      const offers = await mesh.sql<{ id: string }>('SELECT id FROM dispatch_offers WHERE order_id = $1', [orderId])
      return offers.length > 0 && offers
    })
    const accept = (merchantId: string) =>
      mesh
        .assignments(riderCaller(SANDBOX_RIDER.id, { isTest: true, merchantId }))
        .acceptDispatchOffer({ offer_id: offer!.id })
    await expect(accept(merchantCaller().merchantId!)).rejects.toMatchObject({ code: 'not_found' })
    await expect(accept(merchant.merchantId!)).rejects.toEqual(tooLittle(await feeOf(merchant, orderId), 10))
  })

  test('what has ended, and who does not exist, is said before money is asked for', async () => {
    const merchant = await byHand()
    const rider = await insertRider(mesh)
    const orderId = await createOrder(mesh, merchant)
    const stranger = '00000000-0000-4000-8000-000000000000'
    await expect(assign(merchant, orderId, stranger)).rejects.toMatchObject({ code: 'rider_not_found' })
    await mesh.orders(merchant).cancelOrder({ id: orderId, reason: 'duplicate_order' })
    await expect(assign(merchant, orderId, rider)).rejects.toMatchObject({ code: 'order_terminal' })
  })
})

describe('money is no matter', () => {
  test('for riders of the own fleet', async () => {
    const merchant = await insertMerchant(mesh)
    const rider = await fleetRider(mesh, merchant, 100)
    await accept(rider, await offerOf(rider, await createOrder(mesh, merchant)))
    await assign(merchant, await createOrder(mesh, merchant), rider)
  })

  test('for what a merchant that delivers by its own fleet pays a freelancer itself; without a price the floor stands', async () => {
    const merchant = await byHand(true)
    const rider = await insertRider(mesh)
    await assign(merchant, await createOrder(mesh, merchant), rider)
    await expect(assign(merchant, await createOrder(mesh, merchant, NOWHERE), rider)).rejects.toEqual(
      tooLittle(50_000, 0),
    )
  })

  test('once the order was given: a repeat and taking it back ask for none', async () => {
    const merchant = await insertMerchant(mesh)
    const rider = await freelancerNearby()
    const orderId = await createOrder(mesh, merchant)
    await money.give(merchant, await feeOf(merchant, orderId))
    const offerId = await offerOf(rider, orderId)
    await accept(rider, offerId)
    await money.give(merchant, -(await feeOf(merchant, orderId)))
    expect(await away.assignments(riderCaller(rider)).acceptDispatchOffer({ offer_id: offerId })).toMatchObject({
      offer: { status: 'accepted' },
      order: { rider: { id: rider } },
    })
    const again = await away.assignments(merchant).assignRider({ order_id: orderId, rider_id: rider })
    expect(again).toMatchObject({ order: { status: 'accepted', rider: { id: rider } } })
    expect((await away.assignments(merchant).assignRider({ order_id: orderId })).previous_rider_id).toBe(rider)
  })

  test('once it was there when the acceptance began: whoever finishes that does not ask again', async () => {
    const merchant = await insertMerchant(mesh)
    const rider = await freelancerNearby()
    const orderId = await createOrder(mesh, merchant)
    const fee = await feeOf(merchant, orderId)
    await money.give(merchant, fee)
    const offerId = await offerOf(rider, orderId)
    dieAt = 'assignment begun'
    await expect(accept(rider, offerId)).rejects.toMatchObject({ code: 'internal_error' })
    await money.give(merchant, -fee)
    await movableClock(mesh).advance(16_000)
    await eventually(async () => expect(await offersOf(mesh, orderId)).toMatchObject([{ state: 'accepted' }]))
  })
})

describe('while the wallet cannot be asked', () => {
  test('no freelancer is given anything, and nothing is begun', async () => {
    const merchant = await insertMerchant(mesh)
    const rider = await freelancerNearby()
    const orderId = await createOrder(mesh, merchant)
    await money.give(merchant, 100_000_000)
    const offer_id = await offerOf(rider, orderId)
    await expect(away.assignments(riderCaller(rider)).acceptDispatchOffer({ offer_id })).rejects.toMatchObject({
      code: 'service_unavailable',
    })
    await expect(away.assignments(merchant).assignRider({ order_id: orderId, rider_id: rider })).rejects.toMatchObject({
      code: 'service_unavailable',
    })
    await expectUntouched(orderId, [{ rider_id: rider, state: 'pending', kind: 'auto' }])
    await accept(rider, offer_id)
  })

  test('riders of the own fleet go on', async () => {
    const merchant = await byHand()
    const rider = await insertRider(mesh, { merchantId: merchant.merchantId! })
    const orderId = await createOrder(mesh, merchant)
    await away.assignments(merchant).assignRider({ order_id: orderId, rider_id: rider })
  })

  test('nothing is quoted for freelancers', async () => {
    const quote = { pickup: PICKUP, dropoff: DROPOFF, parcel: { is_fragile: false } }
    const merchant = await byHand(true)
    await expect(
      away.pricing(merchant).createQuote({ fulfillment_mode: 'freelancer', ...quote }),
    ).rejects.toMatchObject({ code: 'service_unavailable' })
    const internal = await away.pricing(merchant).createQuote({ fulfillment_mode: 'internal_fleet', ...quote })
    expect(internal.wallet).toBeUndefined()
  })
})

describe('a quote', () => {
  const quote = (caller: Caller) =>
    mesh.pricing(caller).createQuote({
      fulfillment_mode: 'freelancer',
      pickup: PICKUP,
      dropoff: DROPOFF,
      parcel: { is_fragile: false },
    })

  test('says whether the wallet bears it now', async () => {
    const merchant = merchantCaller({ isTest: false })
    const { fare, wallet } = await quote(merchant)
    const required_minor = fare!.fee_minor
    expect(wallet).toEqual({ balance_minor: 0, required_minor, sufficient: false })
    await money.give(merchant, required_minor)
    expect((await quote(merchant)).wallet).toEqual({ balance_minor: required_minor, required_minor, sufficient: true })
  })

  test('of a test key is measured by the sandbox wallet, of a login by the live one', async () => {
    const merchant = merchantCaller({ isTest: true })
    await money.setSandbox(merchant, 7)
    expect((await quote(merchant)).wallet).toMatchObject({ balance_minor: 7 })
    expect((await quote({ ...merchant, isTest: null })).wallet).toMatchObject({ balance_minor: 0 })
  })
})
