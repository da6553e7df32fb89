import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { PriceOrderRequest, RateCardInput } from '@svc/contracts/dispatch/v1/pricing_service'
import { PricingServiceService } from '@svc/contracts/dispatch/v1/pricing_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import { type Caller, systemCaller } from '@svc/grpc'
import { adminCaller, freePort, merchantCaller, receiver, riderCaller, testClient } from '@svc/testing'
import fc from 'fast-check'
import geodesic from 'geographiclib-geodesic'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { box, polygon, zone } from './shapes.ts'
import { signUp } from './sign-up.ts'

let mesh: DispatchMesh
const operator = adminCaller()
const visitor: Caller = { ...systemCaller('visitor'), kind: 'public' }
const IKEJA = { lat: 6.6018, lng: 3.3515 }
const LEKKI = { lat: 6.4698, lng: 3.5852 }
const PARCEL = { is_fragile: false }
const way = { pickup: IKEJA, dropoff: LEKKI, parcel: PARCEL }

beforeAll(async () => {
  mesh = await dispatchMesh()
  await newCard({ name: 'Platform', base_minor: 50_000, per_km_minor: 10_000, minimum_minor: 80_000, vat_percent: 7 })
})
afterAll(() => mesh.stop())

async function newCard(input: RateCardInput) {
  const { rate_card } = await mesh.pricing(operator).createRateCard({ rate_card: { currency: 'NGN', ...input } })
  return rate_card!
}

const price = (caller: Caller, request: Partial<PriceOrderRequest> = {}) =>
  mesh.pricing(caller).priceOrder({ ...way, ...request })
const quote = (caller: Caller, more: object = {}) =>
  mesh.pricing(caller).createQuote({ fulfillment_mode: 'freelancer', ...way, ...more })
const refused = (promise: Promise<unknown>) => expect(promise).rejects

/** Another replica of the service under other settings, and its pricing. */
async function replica(settings: Record<string, string>) {
  const service = await mesh.start({ ...settings, GRPC_PORT: String(await freePort()), INSTANCE: randomUUID() })
  const client = testClient(PricingServiceService, { address: service.address(), to: 'dispatch' })
  return {
    pricing: (caller: Caller) => client.as(caller),
    async stop() {
      client.close()
      await service.stop()
    },
  }
}

describe('fares', () => {
  test('a fare says how it came about, and its lines add up to it', async () => {
    const { fare } = await price((await signUp(mesh)).caller, { parcel: { ...PARCEL, weight_kg: 2.5 } })
    const sum = fare!.breakdown.reduce((total, { amount_minor }) => total + amount_minor, 0)
    expect(fare!.fee_minor).toBe(sum)
    expect(fare!.breakdown.map(({ code }) => code)).toEqual(['base', 'distance', 'vat'])
    expect(fare).toMatchObject({
      currency: 'NGN',
      vehicle_type: 'motorcycle',
      distance_source: 'geodesic',
      rate_card_name: 'Platform',
      rate_card_version: 1,
    })
    expect(fare!.duration_s).toBeGreaterThan(0)
  })

  test('preview, quote and order tell the same price for the same delivery', async () => {
    const { caller } = await signUp(mesh)
    const [preview, quoted, ordered] = await Promise.all([
      mesh.pricing(visitor).previewFare(way),
      quote(caller),
      price(caller),
    ])
    expect(quoted.fare).toEqual(preview.fare)
    expect(ordered.fare).toEqual(preview.fare)
  })

  test('many deliveries from one pickup are estimated together, each at the price of its order', async () => {
    const { caller } = await signUp(mesh)
    const { fare } = await price(caller)
    const asked = { merchant_id: caller.merchantId ?? '', dropoffs: [LEKKI, IKEJA] }
    const from = '2099-01-01T10:00:00.000Z'
    const order = mesh.pricing(systemCaller('order'))
    const known = await order.estimateFares({ ...asked, pickup: IKEJA, opens_from: from })
    expect(known).toMatchObject({
      rate_card: { name: 'Platform', currency: 'NGN', version: 1 },
      pickup_outside: false,
      fares: [
        { outside: false, fee_minor: fare!.fee_minor },
        { outside: false, fee_minor: 85_600 },
      ],
      minimum_fee_minor: 85_600,
      opens_at: from,
    })
    const unknown = await order.estimateFares(asked)
    expect(unknown.fares.map(({ fee_minor }) => fee_minor)).toEqual([undefined, undefined])
    await refused(mesh.pricing(caller).estimateFares(asked)).toMatchObject({ code: 'forbidden' })
  })

  test('distances are those of the ellipsoid within a thousandth, times what roads are longer', async () => {
    const { caller } = await signUp(mesh)
    const wgs84 = geodesic.Geodesic.WGS84
    const lat = fc.double({ min: -90, max: 90, noNaN: true })
    const lng = fc.double({ min: -180, max: 180, noNaN: true })
    const points = fc.sample(fc.record({ lat, lng }), { numRuns: 200, seed: 7 })
    const extremes = [
      { lat: 90, lng: 0 },
      { lat: -90, lng: 120 },
      { lat: 0.3, lng: -179.9999 },
      { lat: IKEJA.lat + 0.001, lng: IKEJA.lng },
    ]
    for (const dropoff of [...extremes, ...points.slice(0, 60)]) {
      const { fare } = await price(caller, { dropoff })
      const metres = wgs84.Inverse(IKEJA.lat, IKEJA.lng, dropoff.lat, dropoff.lng).s12! * 1.3
      expect(Math.abs(fare!.distance_m - metres)).toBeLessThanOrEqual(metres / 1_000 + 0.5)
    }
  })

  test('an order without both points is judged by what it has, and has no fare', async () => {
    const { id, caller } = await signUp(mesh)
    expect(await price(caller, { pickup: undefined, dropoff: undefined })).toEqual({
      fare: undefined,
      quote_id: undefined,
      own_fleet: false,
    })
    expect((await price(caller, { dropoff: undefined })).fare).toBeUndefined()
    await mesh
      .places(operator)
      .replaceDispatchZones({ merchant_id: id, zones: [zone('Far', polygon(box(50, 50, 51, 51)))] })
    await refused(price(caller, { pickup: undefined })).toMatchObject({
      code: 'OUT_OF_COVERAGE_AREA',
      details: { point: 'dropoff', lat: LEKKI.lat, lng: LEKKI.lng, reason: 'outside_zones' },
    })
  })

  test('preflight and creation never disagree', async () => {
    const { id, caller } = await signUp(mesh)
    const zones = [zone('A', polygon(box(0, 0, 2, 2), box(0.5, 0.5, 1, 1))), zone('B', polygon(box(2, 2, 3, 3)))]
    await mesh.places(operator).replaceDispatchZones({ merchant_id: id, zones })
    const step = fc.integer({ min: -1, max: 7 }).map((half) => half / 2)
    const point = fc.record({ lat: step, lng: step })
    await fc.assert(
      fc.asyncProperty(point, point, async (pickup, dropoff) => {
        const asked = await mesh.places(caller).checkCoverage({ pickup, dropoff })
        const outcome = await price(caller, { pickup, dropoff }).catch((error: { details: object }) => error)
        if (asked.covered) expect(outcome).toHaveProperty('fare.fee_minor')
        else {
          const { point: name, lat, lng } = asked.points.find(({ covered }) => !covered)!
          expect(outcome).toMatchObject({ code: 'OUT_OF_COVERAGE_AREA', details: { point: name, lat, lng } })
        }
      }),
      { numRuns: 60 },
    )
  })

  test('what is no vehicle and no weight is refused by the name of its field', async () => {
    const { caller } = await signUp(mesh)
    const cases: Array<[object, string]> = [
      [{ parcel: { ...PARCEL, vehicle_type: 'bicycle' } }, 'vehicle_type'],
      [{ parcel: { ...PARCEL, weight_kg: -1 } }, 'weight_kg'],
      [{ parcel: { ...PARCEL, height_cm: Number.NaN } }, 'height_cm'],
      [{ pickup: { lat: 91, lng: 0 } }, 'pickup_lat'],
      [{ quote_id: 'x' }, 'quote_id'],
    ]
    for (const [request, field] of cases) {
      await refused(price(caller, request)).toMatchObject({ code: 'validation_error', details: { field } })
    }
    await refused(quote(caller, { dropoff: undefined })).toMatchObject({
      details: { field: 'dropoff_lat', rule: 'required' },
    })
    await refused(quote(caller, { fulfillment_mode: 'drone' })).toMatchObject({
      details: { field: 'fulfillment_mode' },
    })
  })

  test('the public preview knows nothing of merchants and answers outside the platform with outside_coverage', async () => {
    await mesh.places(operator).replacePlatformGeofences({ zones: [zone('Lagos', polygon(box(3, 6, 4, 7)))] })
    const inside = await mesh.pricing(visitor).previewFare(way)
    expect(Date.parse(inside.expires_at!)).toBeGreaterThan(Date.parse('2026-01-01'))
    const abuja = { lat: 9.06, lng: 7.49 }
    await refused(mesh.pricing(visitor).previewFare({ ...way, dropoff: abuja })).toMatchObject({
      code: 'outside_coverage',
      details: { point: 'dropoff', ...abuja },
    })
    await mesh.places(operator).replacePlatformGeofences({ zones: [] })
  })
})

describe('rate cards', () => {
  test('the card of the merchant comes before the platform’s, and that of the vehicle before the general one', async () => {
    const { id, caller } = await signUp(mesh)
    const other = await signUp(mesh)
    const cardOf = async (of: Caller, vehicle_type: string) =>
      (await price(of, { parcel: { ...PARCEL, vehicle_type } })).fare!.rate_card_name
    const van = await newCard({ name: 'Platform van', vehicle_type: 'van' })
    expect([await cardOf(caller, 'van'), await cardOf(caller, 'car')]).toEqual(['Platform van', 'Platform'])
    await newCard({ name: 'Own', merchant_id: id })
    await newCard({ name: 'Own car', merchant_id: id, vehicle_type: 'car' })
    await newCard({ name: 'Own off', merchant_id: id, vehicle_type: 'van', active: false })
    expect([await cardOf(caller, 'van'), await cardOf(caller, 'car')]).toEqual(['Own', 'Own car'])
    expect([await cardOf(other.caller, 'van'), await cardOf(other.caller, 'car')]).toEqual(['Platform van', 'Platform'])
    await mesh.pricing(operator).updateRateCard({ id: van.id, rate_card: { active: false }, clear_fields: [] })
    expect(await cardOf(other.caller, 'van')).toBe('Platform')
  })

  test('a change makes the next version and leaves what it does not name', async () => {
    const { id } = await signUp(mesh)
    const first = await newCard({ name: 'V', merchant_id: id, vehicle_type: 'car', base_minor: 100, minimum_minor: 5 })
    const change = { id: first.id, rate_card: { base_minor: 200 }, clear_fields: ['vehicle_type'] }
    const { rate_card: second } = await mesh.pricing(operator).updateRateCard(change)
    expect(second).toEqual({
      ...first,
      version: 2,
      base_minor: 200,
      vehicle_type: undefined,
      updated_at: second!.updated_at,
    })
    const stored = await mesh.sql(
      'SELECT version, base_minor, is_current FROM rate_cards WHERE id = $1 ORDER BY version',
      [first.id],
    )
    expect(stored.map((row) => Object.values(row))).toEqual([
      [1, '100', false],
      [2, '200', true],
    ])
  })

  test('changes at once make one version each', async () => {
    const { id } = await signUp(mesh)
    const card = await newCard({ name: 'Busy', merchant_id: id })
    const raise = (base_minor: number) =>
      mesh.pricing(operator).updateRateCard({ id: card.id, rate_card: { base_minor }, clear_fields: [] })
    const versions = (await Promise.all([1, 2, 3, 4, 5].map(raise))).map(({ rate_card }) => rate_card!.version)
    expect(versions.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6])
  })

  test('what is no card is refused by the name of its field, and a card stays with its merchant', async () => {
    const { id } = await signUp(mesh)
    const make = (rate_card: RateCardInput) => mesh.pricing(operator).createRateCard({ rate_card })
    const cases: Array<[RateCardInput, string]> = [
      [{ currency: 'NGN' }, 'name'],
      [{ name: 'N' }, 'currency'],
      [{ name: 'N', currency: 'ngn' }, 'currency'],
      [{ name: 'N', currency: 'NGN', base_minor: -1 }, 'base_minor'],
      [{ name: 'N', currency: 'NGN', per_km_minor: 1_000_000_001 }, 'per_km_minor'],
      [{ name: 'N', currency: 'NGN', surge_percent: 1_001 }, 'surge_percent'],
      [{ name: 'N', currency: 'NGN', vat_percent: 101 }, 'vat_percent'],
      [{ name: 'N', currency: 'NGN', vehicle_type: 'ship' }, 'vehicle_type'],
      [{ name: 'N', currency: 'NGN', merchant_id: 'x' }, 'merchant_id'],
      [{ name: 'N\u0000', currency: 'NGN' }, 'name'],
    ]
    for (const [input, field] of cases) {
      await refused(make(input)).toMatchObject({ code: 'validation_error', details: { field } })
    }
    await refused(make({ name: 'N', currency: 'NGN', merchant_id: randomUUID() })).toMatchObject({ code: 'not_found' })
    const card = await newCard({ name: 'Mine', merchant_id: id })
    const change = (rate_card: RateCardInput, clear_fields: string[] = []) =>
      mesh.pricing(operator).updateRateCard({ id: card.id, rate_card, clear_fields })
    await refused(change({ merchant_id: randomUUID() })).toMatchObject({ details: { field: 'merchant_id' } })
    await refused(change({}, ['name'])).toMatchObject({ details: { field: 'name' } })
    const unknown = mesh.pricing(operator).updateRateCard({ id: randomUUID(), rate_card: {}, clear_fields: [] })
    await refused(unknown).toMatchObject({ code: 'not_found' })
  })

  test('lists hold present versions only, by merchant and by whether they are active, in pages', async () => {
    const { id } = await signUp(mesh)
    for (const name of ['A', 'B', 'C']) await newCard({ name, merchant_id: id, active: name !== 'C' })
    const list = (more: object) =>
      mesh.pricing(operator).listRateCards({ merchant_id: id, limit: 0, offset: 0, ...more })
    const all = await list({})
    expect(all).toMatchObject({ total: 3, limit: 50, offset: 0 })
    expect(all.items.map(({ name }) => name).sort()).toEqual(['A', 'B', 'C'])
    expect((await list({ active: false })).items.map(({ name }) => name)).toEqual(['C'])
    const page = await list({ limit: 2, offset: 2 })
    expect(page).toMatchObject({ total: 3, limit: 2, offset: 2, items: [all.items[2]] })
    await refused(list({ merchant_id: 'x' })).toMatchObject({ details: { field: 'merchant_id' } })
  })

  test('only operators of the system see and write them', async () => {
    const narrow = adminCaller({ permissions: ['admin.merchants.write', 'admin.merchants.read'] })
    for (const caller of [narrow, merchantCaller(), riderCaller(randomUUID())]) {
      const { pricing } = mesh
      const input = { rate_card: { name: 'N', currency: 'NGN' } }
      await refused(pricing(caller).createRateCard(input)).toMatchObject({ code: 'forbidden' })
      await refused(pricing(caller).updateRateCard({ id: randomUUID(), ...input, clear_fields: [] })).toMatchObject({
        code: 'forbidden',
      })
      await refused(pricing(caller).listRateCards({ limit: 1, offset: 0 })).toMatchObject({ code: 'forbidden' })
    }
  })
})

describe('quotes', () => {
  test('an order pins the price of its quote, again and again, whatever rate cards say meanwhile', async () => {
    const { id, caller } = await signUp(mesh)
    const card = await newCard({ name: 'Cheap', merchant_id: id, base_minor: 10_000 })
    const { quote_id, fare, expires_at } = await quote(caller)
    const minutes = (Date.parse(expires_at!) - Date.now()) / 60_000
    expect(Math.abs(minutes - 15)).toBeLessThan(0.5)
    await mesh.pricing(operator).updateRateCard({ id: card.id, rate_card: { base_minor: 90_000 }, clear_fields: [] })
    expect(await price(caller, { quote_id })).toEqual({ fare, quote_id, own_fleet: false })
    expect(await price(caller, { quote_id })).toEqual({ fare, quote_id, own_fleet: false })
    expect((await price(caller)).fare).toMatchObject({ rate_card_version: 2, fee_minor: 90_000 })
  })

  test('a quote is nobody else’s, not of the other environment, and not for another delivery', async () => {
    const { id, caller } = await signUp(mesh)
    const { caller: stranger } = await signUp(mesh)
    const { quote_id } = await quote(caller)
    const live = merchantCaller({ merchantId: id, isTest: false })
    const elsewhere = { lat: LEKKI.lat + 0.0001, lng: LEKKI.lng }
    const cases: Array<[Caller, Partial<PriceOrderRequest>]> = [
      [stranger, { quote_id }],
      [live, { quote_id }],
      [caller, { quote_id: randomUUID() }],
      [caller, { quote_id, dropoff: elsewhere }],
      [caller, { quote_id, pickup: undefined }],
      [caller, { quote_id, pickup: undefined, dropoff: undefined }],
      [caller, { quote_id, parcel: { ...PARCEL, vehicle_type: 'car' } }],
      [caller, { quote_id, parcel: { ...PARCEL, weight_kg: 21 } }],
    ]
    for (const [by, request] of cases) await refused(price(by, request)).toMatchObject({ code: 'quote_mismatch' })
  })

  test('a quote ends after its time', async () => {
    const { caller } = await signUp(mesh)
    const { quote_id } = await quote(caller)
    await mesh.sql(`UPDATE quotes SET expires_at = app_now() WHERE id = $1`, [quote_id])
    await refused(price(caller, { quote_id })).toMatchObject({ code: 'quote_expired' })
  })

  test('coverage is judged for an order with a quote too', async () => {
    const { id, caller } = await signUp(mesh)
    const { quote_id } = await quote(caller)
    await mesh
      .places(operator)
      .replaceDispatchZones({ merchant_id: id, zones: [zone('Far', polygon(box(50, 50, 51, 51)))] })
    await refused(price(caller, { quote_id })).toMatchObject({ code: 'OUT_OF_COVERAGE_AREA' })
    await refused(quote(caller)).toMatchObject({ code: 'pickup_outside_coverage', details: { point: 'pickup' } })
    const around = zone('Ikeja', polygon(box(3.3, 6.5, 3.4, 6.7)))
    await mesh.places(operator).replaceDispatchZones({ merchant_id: id, zones: [around] })
    await refused(quote(caller)).toMatchObject({ code: 'OUT_OF_COVERAGE_AREA', details: { point: 'dropoff' } })
  })

  test('a quote needs orders:read and a merchant', async () => {
    await refused(quote(merchantCaller({ scopes: ['orders:write'] }))).toMatchObject({ code: 'forbidden' })
    await refused(quote(operator)).toMatchObject({ code: 'forbidden' })
    await refused(price(riderCaller(randomUUID(), { merchantId: randomUUID() }))).toMatchObject({ code: 'forbidden' })
  })

  test('for the own fleet a quote suggests free riders, nearest first, and nobody of another fleet', async () => {
    const { id, caller } = await signUp(mesh)
    const live = { ...caller, isTest: false }
    const rider = async (
      merchantId: string,
      latitude: number | null,
      more: { online?: boolean; kyc?: string } = {},
    ) => {
      const riderId = randomUUID()
      await mesh.sql(
        `INSERT INTO riders (id, rider_type, merchant_id, name, phone, vehicle_type, kyc_status, is_online, created_at, updated_at)
         VALUES ($1, 'merchant_fleet', $2, 'R', $3, 'motorcycle', $4, $5, app_now(), app_now())`,
        [riderId, merchantId, `+234${riderId}`, more.kyc ?? 'approved', more.online ?? true],
      )
      if (latitude === null) return riderId
      await mesh.sql(
        `INSERT INTO rider_positions (rider_id, place, lat, lng, recorded_at, received_at)
         VALUES ($1, ST_MakePoint($2, $3)::geography, $3, $2, app_now(), app_now())`,
        [riderId, IKEJA.lng, latitude],
      )
      return riderId
    }
    const [far, near, unplaced] = [
      await rider(id, IKEJA.lat + 0.2),
      await rider(id, IKEJA.lat + 0.01),
      await rider(id, null),
    ]
    await rider(id, IKEJA.lat, { online: false })
    await rider((await signUp(mesh)).id, IKEJA.lat)
    const fleet = { fulfillment_mode: 'internal_fleet' }
    const placed = await quote(live, fleet)
    expect(placed).toMatchObject({ fulfillment_mode: 'internal_fleet', currency: 'NGN', fare: undefined })
    expect(placed.internal_routing).toMatchObject({
      fleet_riders_available: 3,
      suggested_rider_ids: [near, far, unplaced],
    })
    const anywhere = await quote(live, { ...fleet, pickup: undefined, dropoff: undefined })
    expect(anywhere.internal_routing!.fleet_riders_available).toBe(3)
    const large = await quote(live, { ...fleet, parcel: { ...PARCEL, vehicle_type: 'van' } })
    expect(large.internal_routing).toMatchObject({ fleet_riders_available: 0, suggested_rider_ids: [] })
    const rehearsed = await quote(caller, fleet)
    expect(rehearsed.internal_routing!.suggested_rider_ids).toEqual([SANDBOX_RIDER.id])
  })

  test('a quote for the own fleet is free, so only a merchant that delivers by it may pin it', async () => {
    const { id, caller } = await signUp(mesh)
    const { quote_id } = await quote(caller, { fulfillment_mode: 'internal_fleet' })
    await refused(price(caller, { quote_id })).toMatchObject({ code: 'quote_mismatch' })
    await mesh.admin.merchants.as(operator).updateMerchant({ id, fulfillment_mode: 'internal_fleet', clear_fields: [] })
    await mesh.sql(`UPDATE merchants SET fulfillment_mode = 'internal_fleet' WHERE id = $1`, [id])
    expect(await price(caller, { quote_id })).toEqual({ fare: undefined, quote_id, own_fleet: true })
  })
})

describe('settings', () => {
  test('with pricing off nothing is quoted, and orders are judged without a fare', async () => {
    const { id, caller } = await signUp(mesh)
    const off = await replica({ PRICING_ENGINE_ENABLED: 'false' })
    const request = { fulfillment_mode: 'freelancer', ...way }
    await refused(off.pricing(caller).createQuote(request)).toMatchObject({ code: 'pricing_engine_disabled' })
    await refused(off.pricing(visitor).previewFare(way)).toMatchObject({ code: 'pricing_engine_disabled' })
    expect((await off.pricing(caller).priceOrder(way)).fare).toBeUndefined()
    await mesh
      .places(operator)
      .replaceDispatchZones({ merchant_id: id, zones: [zone('Far', polygon(box(50, 50, 51, 51)))] })
    await refused(off.pricing(caller).priceOrder(way)).toMatchObject({ code: 'OUT_OF_COVERAGE_AREA' })
    await off.stop()
  })

  test('a router says how far it is by road; while it is away, ways are estimated', async () => {
    const { caller } = await signUp(mesh)
    const osrm = await receiver({})
    osrm.respond(() => ({
      status: 200,
      body: JSON.stringify({ code: 'Ok', distances: [[0, 41_234.4]], durations: [[0, 3_601.7]] }),
    }))
    const routed = await replica({ ROUTER_URL: osrm.url })
    expect((await routed.pricing(caller).priceOrder(way)).fare).toMatchObject({
      distance_m: 41_234,
      duration_s: 3_602,
      distance_source: 'router',
    })
    expect(osrm.requests[0]!.path).toContain(
      `/table/v1/driving/${IKEJA.lng},${IKEJA.lat};${LEKKI.lng},${LEKKI.lat}?sources=0`,
    )

    osrm.respond(() => ({ status: 500 }))
    const estimated = (await price(caller)).fare
    expect((await routed.pricing(caller).priceOrder(way)).fare).toEqual(estimated)
    await osrm.close()
    expect((await routed.pricing(caller).priceOrder(way)).fare).toEqual(estimated)
    await routed.stop()
  })
})
