import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, riderCaller } from '@svc/testing'
import {
  createOrder,
  factsOf,
  fleetRider,
  inMinutes,
  insertMerchant,
  insertRateCard,
  movableClock,
  north,
  offersOf,
  offerTo,
  PICKUP,
  reportPosition,
} from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'
import { signUp } from './sign-up.ts'

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

/** Freelancers within 200 m of a place; their ids. */
async function crowd(
  count: number,
  { lat, lng }: typeof PICKUP,
  { vehicleType = 'motorcycle', kycStatus = 'approved' },
) {
  const riders = await mesh.sql<{ id: string }>(
    `INSERT INTO riders (id, rider_type, name, phone, vehicle_type, kyc_status, is_online, created_at, updated_at)
     SELECT id, 'freelancer', 'Bola Ade', '+234' || id, $2, $3, true, app_now(), app_now()
       FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $1)) AS made RETURNING id`,
    [count, vehicleType, kycStatus],
  )
  const ids = riders.map(({ id }) => id)
  await mesh.sql(
    `INSERT INTO rider_positions (rider_id, place, lat, lng, recorded_at, received_at)
     SELECT id, st_point($3, $2 + nth * 0.000001, 4326)::geography, $2 + nth * 0.000001, $3, app_now(), app_now()
       FROM unnest($1::uuid[]) WITH ORDINALITY AS rider (id, nth)`,
    [ids, lat, lng],
  )
  return ids
}

describe('rounds', () => {
  test('an empty round widens at once, and the trace says why each rider was asked or left out', async () => {
    const merchant = await insertMerchant(mesh, { fleetOnly: true })
    const offline = await fleetRider(mesh, merchant, 200, { isOnline: false })
    const small = await fleetRider(mesh, merchant, 250, { vehicleType: 'motorcycle' })
    const nowhere = await insertRider(mesh, { merchantId: merchant.merchantId!, vehicleType: 'van' })
    const wide = await fleetRider(mesh, merchant, 4_000, { vehicleType: 'car' })
    const wider = await fleetRider(mesh, merchant, 7_000, { vehicleType: 'truck' })
    const orderId = await createOrder(mesh, merchant, { vehicle_type_hint: 'car' })
    await decline(wide, (await offerTo(mesh, wide)).id)
    await offerTo(mesh, wider)
    const rounds = await traceOf(merchant, orderId)
    expect(rounds.map(({ round, radius_m }) => [round, radius_m])).toEqual([
      [1, 3_000],
      [2, 5_000],
      [3, 8_000],
    ])
    const reasons = (index: number) =>
      Object.fromEntries(
        rounds[index]!.candidates.map(({ rider_id, included, rank, reason }) => [rider_id, included ? rank : reason]),
      )
    const never = { [offline]: 'offline', [small]: 'vehicle', [nowhere]: 'stale_location' }
    expect(reasons(0)).toEqual({ ...never, [wide]: 'out_of_reach', [wider]: 'out_of_reach' })
    expect(reasons(1)).toEqual({ ...never, [wide]: 1, [wider]: 'out_of_reach' })
    expect(reasons(2)).toEqual({ ...never, [wide]: 'already_offered', [wider]: 2 })
    expect(rounds[1]!.offers).toMatchObject([{ rider_id: wide, status: 'declined', rank: 1 }])
    expect(rounds[2]!.offers).toMatchObject([{ rider_id: wider, status: 'pending', rank: 2 }])
  })

  test('whoever can carry it is found, however many nearer riders cannot', async () => {
    const merchant = await insertMerchant(mesh)
    const place = { lat: -5.1, lng: 12.1 }
    await crowd(260, place, { vehicleType: 'motorcycle' })
    await crowd(60, place, { vehicleType: 'van', kycStatus: 'pending' })
    const pickup = { pickup_lat: place.lat, pickup_lng: place.lng, vehicle_type_hint: 'van' }
    const van = await insertRider(mesh, { vehicleType: 'van' })
    await reportPosition(mesh, van, north(place, 2_500))
    const orderId = await createOrder(mesh, merchant, pickup)
    expect(await asked(orderId, 1)).toEqual([van])
    const [round] = await traceOf(merchant, orderId)
    expect(round!.candidates).toHaveLength(200)
    expect(round!.candidates[0]).toMatchObject({ rider_id: van, included: true })
  })

  test('the own fleet is asked first, however many freelancers are nearer, and loaded riders hide no other', async () => {
    const merchant = await insertMerchant(mesh)
    const place = { lat: -6.1, lng: 13.1 }
    const crowded = await crowd(210, place, {})
    await mesh.sql(
      `INSERT INTO dispatch_jobs (order_id, merchant_id, is_test, order_version, status, rider_id, assignment_version,
         pickup_address, dropoff_address, scheduled_pickup_at, delivery_window_end, order_created_at)
       SELECT gen_random_uuid(), $1, false, 1, 'accepted', rider_id, 1, 'A', 'B', app_now(), app_now(), app_now()
         FROM unnest($2::uuid[]) AS rider (rider_id), generate_series(1, 5)`,
      [merchantCaller().merchantId, crowded],
    )
    await mesh.sql(
      `INSERT INTO rider_active (order_id, rider_id, merchant_id, since)
       SELECT order_id, rider_id, merchant_id, app_now() FROM dispatch_jobs WHERE rider_id = ANY($1)`,
      [crowded],
    )
    const free = await insertRider(mesh)
    await reportPosition(mesh, free, north(place, 2_000))
    const ours = await insertRider(mesh, { merchantId: merchant.merchantId! })
    await reportPosition(mesh, ours, north(place, 2_500))
    const orderId = await createOrder(mesh, merchant, { pickup_lat: place.lat, pickup_lng: place.lng })
    await decline(ours, (await offerTo(mesh, ours)).id)
    expect(await asked(orderId, 2)).toEqual([ours, free])
  })

  test('the trace tells a merchant how far the place of a stranger on the grid is, and an operator the true distance', async () => {
    const merchant = await insertMerchant(mesh)
    const rider = await insertRider(mesh)
    const seen: unknown[] = []
    const exact: number[] = []
    // In one square of the grid, 450 m apart: from the pickup their true distances are about 730 and 1,180 m.
    for (const lat of [5.1061, 5.1101]) {
      await reportPosition(mesh, rider, { lat, lng: 2.0998 })
      const orderId = await createOrder(mesh, merchant, { pickup_lat: 5.0995, pickup_lng: 2.0998 })
      expect(await asked(orderId, 1)).toEqual([rider])
      const [round] = await traceOf(merchant, orderId)
      const [offer] = round!.offers
      seen.push([round!.candidates, offer!.distance_m, offer!.score_m, offer!.score_parts])
      const [told] = await traceOf(adminCaller(), orderId)
      exact.push(told!.candidates[0]!.distance_m!)
    }
    const [candidates, ...offered] = seen[0] as [object[], ...unknown[]]
    expect(candidates).toMatchObject([{ rider_id: rider, distance_m: 1_000, score_parts: { distance_m: 1_000 } }])
    expect(offered).toMatchObject([1_000, 1_000, { distance_m: 1_000 }])
    expect(seen[1]).toEqual(seen[0])
    expect(exact.map((metres) => Math.round(metres / 500) * 500)).toEqual([500, 1_000])
  })

  test('another merchant finds no trace of it', async () => {
    const orderId = await createOrder(mesh, await insertMerchant(mesh))
    const other = merchantCaller({ isTest: false })
    await expect(traceOf(other, orderId)).rejects.toMatchObject({ code: 'not_found' })
    expect(await traceOf(adminCaller(), orderId)).toBeDefined()
  })

  test('a merchant that may only write orders reads the trace of its own', async () => {
    const merchant = await insertMerchant(mesh)
    const orderId = await createOrder(mesh, merchant)
    expect(await traceOf({ ...merchant, scopes: ['orders:write'] }, orderId)).toBeDefined()
    const refused = traceOf({ ...merchant, scopes: ['riders:location'] }, orderId)
    await expect(refused).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['orders:read', 'orders:write'] },
    })
  })

  test('what nobody takes is delayed, then exhausted, stays pending, and is tried again', async () => {
    const merchant = await insertMerchant(mesh)
    const orderId = await createOrder(mesh, merchant)
    const searchIs = (search: string) =>
      eventually(async () => {
        const [job] = await mesh.sql<{ search: string }>('SELECT search FROM dispatch_jobs WHERE order_id = $1', [
          orderId,
        ])
        return job?.search === search
      })
    await searchIs('searching')
    await clock.advance(5 * 60_000)
    await eventually(async () => expect(await factsOf(mesh, orderId)).toContain('dispatch.delayed'))
    await clock.advance(15 * 60_000)
    await searchIs('exhausted')
    await eventually(async () => expect(await factsOf(mesh, orderId)).toContain('dispatch.exhausted'))
    const audits = await mesh.sql<{ type: string }>(
      `SELECT type FROM outbox WHERE merchant_id = $1 AND type = 'audit.recorded'`,
      [merchant.merchantId],
    )
    expect(audits).toHaveLength(1)
    const { order } = await mesh.orders(merchant).getOrder({ id: orderId })
    expect(order!.status).toBe('pending')

    const late = await insertRider(mesh, { merchantId: merchant.merchantId! })
    // The next try comes five minutes after the last one.
    await clock.advance(4.75 * 60_000)
    await reportPosition(mesh, late, north(PICKUP, 100))
    await clock.advance(0.5 * 60_000)
    expect(await asked(orderId, 1)).toEqual([late])
    expect((await factsOf(mesh, orderId)).filter((type) => type.startsWith('dispatch.'))).toEqual([
      'dispatch.delayed',
      'dispatch.exhausted',
    ])
  })
})

describe('when riders are looked for', () => {
  test('an order for later waits until its lead', async () => {
    const merchant = await insertMerchant(mesh)
    const rider = await fleetRider(mesh, merchant, 300)
    const later = {
      scheduled_pickup_at: inMinutes(clock.minutes() + 90),
      delivery_window_start: inMinutes(clock.minutes() + 90),
    }
    const window = { ...later, delivery_window_end: inMinutes(clock.minutes() + 180) }
    const orderId = await createOrder(mesh, merchant, window)
    await eventually(async () => {
      const [job] = await mesh.sql<{ due: boolean }>(
        `SELECT next_at > app_now() + interval '25 minutes' AS due FROM dispatch_jobs WHERE order_id = $1`,
        [orderId],
      )
      return job?.due ?? false
    })
    expect(await offersOf(mesh, orderId)).toEqual([])
    await clock.advance(29 * 60_000)
    await reportPosition(mesh, rider, north(PICKUP, 300))
    await clock.advance(60_000 + 1_000)
    expect(await asked(orderId, 1)).toEqual([rider])
  })

  test('a closed schedule asks nobody; one that is open takes effect at once', async () => {
    const merchant = await insertMerchant(mesh)
    const rider = await fleetRider(mesh, merchant, 300)
    const today = [-1, 0, 1].map((days) => inMinutes(clock.minutes() + days * 24 * 60).slice(0, 10))
    const closeOn = (closed_dates: string[]) =>
      mesh.places(adminCaller()).replaceDispatchSchedule({
        merchant_id: merchant.merchantId!,
        schedule: { timezone: 'UTC', windows: [], closed_dates },
      })
    await closeOn(today)
    const orderId = await createOrder(mesh, merchant)
    await eventually(async () => {
      const [job] = await mesh.sql<{ waits: boolean }>(
        `SELECT search = 'idle' AND next_at > app_now() + interval '5 minutes' AS waits FROM dispatch_jobs WHERE order_id = $1`,
        [orderId],
      )
      return job?.waits ?? false
    })
    expect(await offersOf(mesh, orderId)).toEqual([])
    await closeOn([])
    expect(await asked(orderId, 1)).toEqual([rider])
  })

  test('switching automatic dispatch on picks up waiting orders, off takes their offers back', async () => {
    const { id, caller } = await signUp(mesh)
    const merchant = { ...caller, isTest: false }
    const rider = await fleetRider(mesh, merchant, 300)
    const set = (auto_dispatch_enabled: boolean) =>
      mesh.admin.merchants.as(adminCaller()).updateMerchant({ id, auto_dispatch_enabled, clear_fields: [] })
    await set(false)
    await eventually(async () => {
      const [known] = await mesh.sql<{ off: boolean }>(
        'SELECT NOT auto_dispatch_enabled AS off FROM merchants WHERE id = $1',
        [id],
      )
      return known?.off ?? false
    })
    const orderId = await createOrder(mesh, merchant)
    await eventually(async () => {
      const [job] = await mesh.sql<{ idle: boolean }>(
        'SELECT next_at IS NULL AS idle FROM dispatch_jobs WHERE order_id = $1',
        [orderId],
      )
      return job?.idle ?? false
    })
    await set(true)
    expect(await asked(orderId, 1)).toEqual([rider])
    await set(false)
    await eventually(async () => expect(await offersOf(mesh, orderId)).toMatchObject([{ state: 'withdrawn' }]))
  })

  test('an order that comes while dispatch is switched on is not forgotten', async () => {
    for (let n = 0; n < 5; n++) {
      const { id, caller } = await signUp(mesh)
      const merchant = { ...caller, isTest: false }
      const rider = await fleetRider(mesh, merchant, 300)
      const set = (auto_dispatch_enabled: boolean) =>
        mesh.admin.merchants.as(adminCaller()).updateMerchant({ id, auto_dispatch_enabled, clear_fields: [] })
      await set(false)
      const [orderId] = await Promise.all([createOrder(mesh, merchant), set(true)])
      expect(await asked(orderId, 1)).toEqual([rider])
    }
  })

  test('a cancelled order takes its offers back', async () => {
    const merchant = await insertMerchant(mesh)
    const rider = await fleetRider(mesh, merchant, 300)
    const orderId = await createOrder(mesh, merchant)
    const offer = await offerTo(mesh, rider)
    await mesh.orders(merchant).cancelOrder({ id: orderId, reason: 'duplicate_order' })
    await eventually(async () => expect(await offersOf(mesh, orderId)).toMatchObject([{ state: 'withdrawn' }]))
    await expect(accept(rider, offer.id)).rejects.toMatchObject({ details: { status: 'withdrawn' } })
  })
})
