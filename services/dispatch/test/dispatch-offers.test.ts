import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller, riderCaller } from '@svc/testing'
import {
  createOrder,
  factsOf,
  fleetRider,
  insertMerchant,
  insertRateCard,
  movableClock,
  offersOf,
  offerTo,
  PICKUP,
  reportPosition,
} from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'

let mesh: DispatchMesh
let clock: ReturnType<typeof movableClock>
beforeAll(async () => {
  mesh = await dispatchMesh()
  clock = movableClock(mesh)
  await insertRateCard(mesh)
})
afterAll(() => mesh.stop())

const decline = async (riderId: string, offerId: string) =>
  (await mesh.assignments(riderCaller(riderId)).declineDispatchOffer({ offer_id: offerId })).offer
const accept = async (riderId: string, offerId: string) =>
  mesh.assignments(riderCaller(riderId)).acceptDispatchOffer({ offer_id: offerId })
const traceOf = async (merchant: Caller, orderId: string) =>
  (await mesh.assignments(merchant).getDispatchTrace({ order_id: orderId })).rounds

/** The riders asked so far, by rank, once there are so many. */
const asked = async (orderId: string, count: number) => {
  const offers = await eventually(
    async () => {
      const all = await offersOf(mesh, orderId)
      return all.length >= count && all
    },
    { message: `${count} offers` },
  )
  return offers.map(({ rider_id }) => rider_id)
}

describe('one by one', () => {
  test('the nearest rider is asked first; a no goes to the next; a yes gives the order', async () => {
    const merchant = await insertMerchant(mesh)
    const near = await fleetRider(mesh, merchant, 300)
    const far = await fleetRider(mesh, merchant, 900)
    const orderId = await createOrder(mesh, merchant)
    const first = await offerTo(mesh, near)
    expect(first).toMatchObject({
      order_id: orderId,
      rank: 1,
      round: 1,
      status: 'pending',
      currency: 'NGN',
      payout_minor: undefined,
      pickup: { address: '1 Marina Road', point: PICKUP },
      score_parts: { load_penalty_m: 0 },
    })
    expect(await decline(near, first.id)).toMatchObject({ status: 'declined', responded_at: expect.any(String) })
    expect(await decline(near, first.id)).toMatchObject({ status: 'declined' })
    const second = await offerTo(mesh, far)
    expect(second).toMatchObject({ rank: 2, round: 1 })
    const { offer, order } = await accept(far, second.id)
    expect(offer).toMatchObject({ status: 'accepted' })
    expect(order).toMatchObject({ id: orderId, status: 'accepted', rider: { id: far } })
    // The order may have been given its first estimate meanwhile.
    expect(await accept(far, second.id)).toMatchObject({ offer, order: { status: 'accepted', rider: order!.rider } })
    const facts = await factsOf(mesh, orderId)
    expect(facts.filter((type) => type !== 'order.eta_changed')).toEqual([
      'order.created',
      'order.rider_assigned',
      'order.accepted',
    ])
    await expect(accept(near, first.id)).rejects.toMatchObject({
      code: 'offer_unavailable',
      details: { status: 'declined' },
    })
  })

  test('an offer that nobody answered in time goes to the next, and its rider is too late', async () => {
    const merchant = await insertMerchant(mesh)
    const near = await fleetRider(mesh, merchant, 300)
    const far = await fleetRider(mesh, merchant, 900)
    const orderId = await createOrder(mesh, merchant)
    const first = await offerTo(mesh, near)
    await clock.advance(31_000)
    await expect(accept(near, first.id)).rejects.toMatchObject({ code: 'offer_expired' })
    await expect(decline(near, first.id)).rejects.toMatchObject({ code: 'offer_expired' })
    expect(await asked(orderId, 2)).toEqual([near, far])
  })

  test('an offer is nobody else’s', async () => {
    const merchant = await insertMerchant(mesh)
    const near = await fleetRider(mesh, merchant, 300)
    const other = await insertRider(mesh)
    await createOrder(mesh, merchant)
    const offer = await offerTo(mesh, near)
    await expect(accept(other, offer.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(decline(other, offer.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(mesh.assignments(merchant).acceptDispatchOffer({ offer_id: offer.id })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test('a rider who is not approved any more may not take it', async () => {
    const merchant = await insertMerchant(mesh)
    const near = await fleetRider(mesh, merchant, 300)
    await createOrder(mesh, merchant)
    const offer = await offerTo(mesh, near)
    await mesh.sql(`UPDATE riders SET kyc_status = 'rejected', is_online = false WHERE id = $1`, [near])
    await expect(accept(near, offer.id)).rejects.toMatchObject({ code: 'kyc_not_approved' })
  })
})

describe('several at once', () => {
  test('a batch asks so many, the fleet before freelancers', async () => {
    const merchant = await insertMerchant(mesh, { mode: 'batch', batchSize: 2 })
    const freelancer = await insertRider(mesh)
    await reportPosition(mesh, freelancer, PICKUP)
    const fleet = [await fleetRider(mesh, merchant, 300), await fleetRider(mesh, merchant, 600)]
    const orderId = await createOrder(mesh, merchant)
    expect(await asked(orderId, 2)).toEqual(fleet)
    for (const riderId of fleet) await decline(riderId, (await offerTo(mesh, riderId)).id)
    expect((await asked(orderId, 3)).at(2)).toBe(freelancer)
    await mesh.sql('UPDATE riders SET is_online = false WHERE id = $1', [freelancer])
  })

  test('a broadcast asks everybody; one yes takes it back from the others', async () => {
    const merchant = await insertMerchant(mesh, { mode: 'broadcast' })
    const riders = [await fleetRider(mesh, merchant, 300), await fleetRider(mesh, merchant, 600)]
    const orderId = await createOrder(mesh, merchant)
    const offers = await Promise.all(riders.map((riderId) => offerTo(mesh, riderId)))
    await accept(riders[1]!, offers[1]!.id)
    await expect(accept(riders[0]!, offers[0]!.id)).rejects.toMatchObject({
      code: 'offer_unavailable',
      details: { status: 'withdrawn' },
    })
    expect(await offersOf(mesh, orderId)).toMatchObject([{ state: 'withdrawn' }, { state: 'accepted' }])
  })

  test('a merchant with a fleet of its own alone never asks a freelancer', async () => {
    const merchant = await insertMerchant(mesh, { mode: 'broadcast', fleetOnly: true })
    const freelancer = await insertRider(mesh)
    await reportPosition(mesh, freelancer, PICKUP)
    const rider = await fleetRider(mesh, merchant, 700)
    const orderId = await createOrder(mesh, merchant)
    expect(await asked(orderId, 1)).toEqual([rider])
    const [round] = await traceOf(merchant, orderId)
    expect(round!.candidates.map(({ rider_id }) => rider_id)).toEqual([rider])
    await mesh.sql('UPDATE riders SET is_online = false WHERE id = $1', [freelancer])
  })
})

describe('test orders', () => {
  test('are offered to the sandbox rider alone, and only a token of that merchant sees them', async () => {
    const live = await insertMerchant(mesh)
    const near = await fleetRider(mesh, live, 10)
    const merchant = { ...live, isTest: true }
    const orderId = await createOrder(mesh, merchant)
    const bound = riderCaller(SANDBOX_RIDER.id, { isTest: true, merchantId: merchant.merchantId! })
    const offer = await eventually(async () => (await mesh.assignments(bound).listDispatchOffers({})).offers[0] ?? null)
    expect(offer).toMatchObject({ order_id: orderId, rider_id: SANDBOX_RIDER.id })
    for (const merchantId of [undefined, merchantCaller().merchantId!]) {
      const other = riderCaller(SANDBOX_RIDER.id, { isTest: true, ...(merchantId && { merchantId }) })
      expect(await mesh.assignments(other).listDispatchOffers({})).toEqual({ offers: [] })
      await expect(mesh.assignments(other).acceptDispatchOffer({ offer_id: offer.id })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    expect((await mesh.assignments(riderCaller(near)).listDispatchOffers({})).offers).toEqual([])
    const { order } = await mesh.assignments(bound).acceptDispatchOffer({ offer_id: offer.id })
    expect(order).toMatchObject({ status: 'accepted', rider: { id: SANDBOX_RIDER.id } })
  })
})
