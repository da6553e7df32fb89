import { randomInt } from 'node:crypto'
import { eventually, type RunningMesh } from '@svc/testing'
import { Api, answered, orderBody } from './merchant.ts'

export const PICKUP = { lat: 6.4541, lng: 3.3947 }
export const DROPOFF = { lat: 6.4281, lng: 3.4219 }

const corners = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]
const LAGOS = { type: 'Polygon', coordinates: [corners(3.1, 6.3, 3.7, 6.8)] }

export interface TestRider {
  id: string
  phone: string
  api: Api
}

/** What the double of the SMS provider handed to a phone last. */
export async function codeSentTo(system: RunningMesh, phone: string): Promise<string> {
  return eventually(async () => {
    const { body } = await new Api(system.providersUrl).get('/__control/outbox')
    const sent = body.items.filter(
      (item: { channel: string; to: string }) => item.channel === 'sms' && item.to === phone,
    )
    return sent.at(-1)?.code ?? false
  }) as Promise<string>
}

export const newPhone = () => `+23480${String(randomInt(10 ** 8)).padStart(8, '0')}`

/** An operator who may do everything. */
export async function operatorOf(system: RunningMesh): Promise<Api> {
  const anyone = new Api(system.baseUrl)
  const minted = await anyone.post('/v1/admin/auth/token', { token: system.adminStaticToken })
  return anyone.bearing(answered(200, minted).body.access_token)
}

/** Gives the merchant a zone over Lagos. */
export async function openZone(operator: Api, merchantId: string): Promise<void> {
  const zones = {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { name: 'Lagos' }, geometry: LAGOS }],
  }
  answered(200, await operator.send('PUT', `/v1/admin/merchants/${merchantId}/dispatch-zones`, zones))
}

/** Prices the deliveries of a merchant, or of all: 500 naira and 100 a kilometre, at least 700. */
export async function openRateCard(operator: Api, merchantId?: string): Promise<void> {
  const card = {
    name: 'Lagos',
    ...(merchantId && { merchant_id: merchantId }),
    currency: 'NGN',
    base_minor: 50_000,
    per_km_minor: 10_000,
    minimum_minor: 70_000,
    vat_percent: 7,
  }
  answered(201, await operator.post('/v1/admin/rate-cards', card))
}

interface Joining {
  system: RunningMesh
  anyone: Api
  operator: Api
  /** The merchant whose fleet it is. */
  live: Api
}

/** Joins by an invite, proves the phone, is approved, and goes online somewhat north of the pickup. */
export async function joinFleet(
  { system, anyone, operator, live }: Joining,
  name: string,
  north: number,
): Promise<TestRider> {
  const phone = newPhone()
  const invite = answered(201, await live.post('/v1/me/fleet/invite-codes', {}))
  const { code } = invite.body
  const redeemed = await anyone.post('/v1/public/riders/fleet-invite/redeem', {
    code,
    name,
    phone,
    vehicle_type: 'motorcycle',
  })
  const id = answered(200, redeemed).body.rider_id as string
  answered(200, await operator.patch(`/v1/admin/riders/${id}`, { kyc_status: 'approved' }))
  answered(200, await anyone.post('/v1/auth/rider/phone-otp/request', { phone }))
  const proof = { phone, code: await codeSentTo(system, phone) }
  const verified = answered(200, await anyone.post('/v1/auth/rider/phone-otp/verify', proof))
  const api = anyone.bearing(verified.body.access_token)
  answered(200, await api.patch(`/v1/riders/${id}/online`, { is_online: true }))
  await ping(api, id, { lat: PICKUP.lat + north, lng: PICKUP.lng })
  return { id, phone, api }
}

export async function ping(api: Api, riderId: string, point: { lat: number; lng: number }): Promise<void> {
  answered(200, await api.post(`/v1/riders/${riderId}/location`, point))
}

/** An order within the zone. */
export const placed = (more: Record<string, unknown> = {}, standardized: Record<string, unknown> = {}) =>
  orderBody(
    {
      pickup_lat: PICKUP.lat,
      pickup_lng: PICKUP.lng,
      dropoff_lat: DROPOFF.lat,
      dropoff_lng: DROPOFF.lng,
      weight_kg: 3,
      ...standardized,
    },
    more,
  )

/** The offer of the order that the rider sees, as soon as there is one. */
export const offerOf = (rider: TestRider, orderId: string) =>
  eventually(
    async () => {
      const { body } = await rider.api.get('/v1/riders/me/dispatch-offers')
      return body.offers.find((offer: { order_id: string }) => offer.order_id === orderId) ?? false
    },
    // Riders may ask 120 times a minute.
    { intervalMs: 1_000 },
  )
