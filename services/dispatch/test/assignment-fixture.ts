import { randomUUID } from 'node:crypto'
import type { DispatchOffer } from '@svc/contracts/dispatch/v1/assignment_service'
import { OrderFact } from '@svc/contracts/order/v1/order'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, riderCaller } from '@svc/testing'
import type { DispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'

export const PICKUP = { lat: 6.4541, lng: 3.3947 }
export const DROPOFF = { lat: 6.5244, lng: 3.3792 }
/** About so many metres north of a place. */
export const north = ({ lat, lng }: typeof PICKUP, metres: number) => ({ lat: lat + metres / 110_600, lng })
export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** A platform rate card: orders with coordinates need one. */
export async function insertRateCard(mesh: DispatchMesh): Promise<void> {
  await mesh.pricing(adminCaller()).createRateCard({
    rate_card: {
      name: 'Everywhere',
      currency: 'NGN',
      active: true,
      base_minor: 50_000,
      per_km_minor: 10_000,
      per_kg_minor: 0,
      fragile_minor: 0,
      minimum_minor: 0,
      surge_percent: 0,
      vat_percent: 0,
    },
  })
}

interface MerchantSettings {
  autoDispatch?: boolean
  mode?: 'one_by_one' | 'batch' | 'broadcast'
  batchSize?: number
  fleetOnly?: boolean
}

/** A merchant of live orders, as its facts would have introduced it. */
export async function insertMerchant(mesh: DispatchMesh, settings: MerchantSettings = {}): Promise<Caller> {
  const caller = merchantCaller({ isTest: false })
  const { autoDispatch = true, mode = 'one_by_one', batchSize = 3, fleetOnly = false } = settings
  await mesh.sql(
    `INSERT INTO merchants (id, name, slug, timezone, currency, auto_dispatch_enabled, dispatch_mode, dispatch_batch_size,
                            fulfillment_mode, version)
     VALUES ($1, 'Ada', 'ada', 'Africa/Lagos', 'NGN', $2, $3, $4, $5, 1)`,
    [caller.merchantId, autoDispatch, mode, batchSize, fleetOnly ? 'internal_fleet' : 'freelancer'],
  )
  return caller
}

/** An order whose pickup is so near that riders are looked for at once. */
export async function createOrder(
  mesh: DispatchMesh,
  merchant: Caller,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const { order } = await mesh.orders(merchant).createOrder({
    source: 'api',
    external_order_id: randomUUID(),
    raw_payload_json: '{}',
    standardized_json: JSON.stringify({
      pickup_address: '1 Marina Road',
      dropoff_address: '22 Broad Street',
      customer_phone: '+2348031234567',
      pickup_lat: PICKUP.lat,
      pickup_lng: PICKUP.lng,
      dropoff_lat: DROPOFF.lat,
      dropoff_lng: DROPOFF.lng,
      scheduled_pickup_at: inMinutes(30),
      delivery_window_start: inMinutes(30),
      delivery_window_end: inMinutes(180),
      ...changes,
    }),
  })
  return order!.id
}

/** A rider of the merchant's fleet who is online, so many metres from the pickup. */
export async function fleetRider(mesh: DispatchMesh, merchant: Caller, metres: number, more = {}): Promise<string> {
  const riderId = await insertRider(mesh, { merchantId: merchant.merchantId as string, ...more })
  await reportPosition(mesh, riderId, north(PICKUP, metres))
  return riderId
}

export async function reportPosition(mesh: DispatchMesh, riderId: string, place: typeof PICKUP): Promise<void> {
  await mesh.positions(riderCaller(riderId)).recordPositions({ rider_id: riderId, points: [place] })
}

/** The one offer that the rider may answer, once it is there. */
export const offerTo = (mesh: DispatchMesh, riderId: string): Promise<DispatchOffer> =>
  eventually(async () => (await mesh.assignments(riderCaller(riderId)).listDispatchOffers({})).offers[0] ?? null, {
    message: 'no offer came',
  })

/** The types of the order's facts, in their order. */
export async function factsOf(mesh: DispatchMesh, orderId: string): Promise<string[]> {
  const rows = await mesh.orderSql<{ type: string }>(
    'SELECT type FROM outbox WHERE aggregate_id = $1 ORDER BY aggregate_version',
    [orderId],
  )
  return rows.map(({ type }) => type)
}

/** The last fact of that type of the order. */
export async function factOf(mesh: DispatchMesh, orderId: string, type: string): Promise<OrderFact | undefined> {
  const rows = await mesh.orderSql<{ payload: Buffer }>(
    'SELECT payload FROM outbox WHERE aggregate_id = $1 AND type = $2 ORDER BY aggregate_version DESC LIMIT 1',
    [orderId, type],
  )
  return rows[0] && OrderFact.decode(rows[0].payload)
}

/** The order's offers as they are stored, by rank. */
export const offersOf = (mesh: DispatchMesh, orderId: string): Promise<Array<{ rider_id: string; state: string }>> =>
  mesh.sql('SELECT rider_id, state, kind FROM dispatch_offers WHERE order_id = $1 ORDER BY rank, created_at', [orderId])

/** The clock of dispatch, which only goes forward. */
export function movableClock(mesh: DispatchMesh) {
  let shiftMs = 0
  return {
    minutes: () => shiftMs / 60_000,
    async advance(ms: number): Promise<void> {
      shiftMs += ms
      await mesh.database.shiftClock(shiftMs)
    },
  }
}
