import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { Caller, Grant } from '@svc/grpc'
import { adminCaller, merchantCaller, riderCaller } from '@svc/testing'
import { refusal } from '../../admin/test/start-admin.ts'
import { assignmentService } from '../src/rpc/assignment-service.ts'
import { fleetService } from '../src/rpc/fleet-service.ts'
import { placeService } from '../src/rpc/place-service.ts'
import { positionService } from '../src/rpc/position-service.ts'
import { pricingService } from '../src/rpc/pricing-service.ts'
import { proofService } from '../src/rpc/proof-service.ts'
import { riderService } from '../src/rpc/rider-service.ts'
import { insertCarriedOrder, insertRider } from './riders-fixture.ts'
import { newPhone, type Phones, withPhones } from './with-phones.ts'

let phones: Phones
let mesh: Phones['mesh']
beforeAll(async () => {
  phones = await withPhones()
  mesh = phones.mesh
})
afterAll(() => phones.stop())

const PLACE = { lat: 6.4541, lng: 3.3947 }

/** A merchant with a live fleet, an invite and an order under way. */
async function liveFleet() {
  const merchantId = randomUUID()
  const live = merchantCaller({ merchantId, isTest: false })
  const riderId = await insertRider(mesh, { merchantId, createdBy: merchantId })
  await mesh.positions(riderCaller(riderId)).recordPositions({ rider_id: riderId, points: [PLACE] })
  const { invite_code } = await mesh.fleet(live).createInviteCode({})
  const orderId = await insertCarriedOrder(mesh, { merchantId, riderId })
  const { phone } = (await mesh.riders(adminCaller()).getRider({ id: riderId })).rider!
  return { merchantId, riderId, phone, invite: invite_code!, orderId }
}
type LiveFleet = Awaited<ReturnType<typeof liveFleet>>

/** Everything that is live, as JSON. */
async function liveRows(): Promise<string> {
  const tables = ['invite_codes', 'otps', 'otp_send_log', 'rider_location_log', 'rider_active']
  const placed = ['dispatch_zones', 'platform_geofences', 'dispatch_schedules', 'rate_cards', 'sos_alerts', 'intent']
  const parts = [...tables, ...placed].map((table) => `SELECT '${table}' AS t, to_jsonb(x)::text AS r FROM ${table} x`)
  parts.push(`SELECT 'riders', to_jsonb(x)::text FROM riders x WHERE id <> '${SANDBOX_RIDER.id}'`)
  parts.push(
    `SELECT 'rider_positions', to_jsonb(x)::text FROM rider_positions x WHERE rider_id <> '${SANDBOX_RIDER.id}'`,
  )
  for (const table of ['dispatch_jobs', 'dispatch_offers'])
    parts.push(`SELECT '${table}', to_jsonb(x)::text FROM ${table} x WHERE NOT is_test`)
  return JSON.stringify(await mesh.sql(`${parts.join(' UNION ALL ')} ORDER BY 1, 2`))
}

// biome-ignore lint/suspicious/noExplicitAny: a table of calls keeps no type of each
type Calls = Record<string, any>
type Attempt = readonly [client: (caller: Caller) => Calls, request: (fleet: LiveFleet) => object]

/** What an attacker with a test key of the same merchant would ask, by rpc. */
const attempts = (): Record<string, Attempt> => {
  const { riders, fleet, positions, assignments, places, pricing } = mesh
  const rider = ({ riderId: rider_id }: LiveFleet) => ({ rider_id })
  const order = ({ orderId: order_id }: LiveFleet) => ({ order_id })
  const page = () => ({ limit: 50, offset: 0 })
  const way = () => ({ pickup: PLACE, dropoff: { lat: 6.4281, lng: 3.4219 }, parcel: {} })
  return {
    mintRiderToken: [riders, rider],
    requestRiderPhoneOtp: [riders, (all) => ({ ...rider(all), phone: newPhone() })],
    verifyRiderPhoneOtp: [riders, (all) => ({ ...rider(all), code: '000000' })],
    setRiderOnline: [riders, (all) => ({ ...rider(all), is_online: false })],
    listInviteCodes: [fleet, page],
    createInviteCode: [fleet, () => ({})],
    revokeInviteCode: [fleet, ({ invite: { id } }) => ({ id })],
    listFleetRiders: [fleet, page],
    removeFleetRider: [fleet, rider],
    recordPositions: [positions, (all) => ({ ...rider(all), points: [{ lat: 1, lng: 1 }] })],
    listPositionHistory: [positions, (all) => ({ ...rider(all), limit: 0, order: 'desc' })],
    listRidersNear: [positions, () => ({ point: PLACE, metres: 100_000, limit: 100, online_only: false })],
    listLivePositions: [positions, () => ({})],
    assignRider: [assignments, (all) => ({ ...order(all), ...rider(all) })],
    checkAssignable: [assignments, rider],
    listDispatchCandidates: [assignments, (all) => ({ ...order(all), point: PLACE, metres: 100_000, limit: 50 })],
    getDispatchTrace: [assignments, order],
    checkCoverage: [places, () => ({ point: PLACE })],
    listDispatchZones: [places, () => ({})],
    listPlatformGeofences: [places, () => ({})],
    createQuote: [pricing, () => ({ ...way(), fulfillment_mode: 'freelancer' })],
    priceOrder: [pricing, way],
  }
}

type Declared = Readonly<Record<string, { access: { grants: readonly Grant[] } }>>
const served = [
  assignmentService,
  fleetService,
  placeService,
  positionService,
  pricingService,
  proofService,
  riderService,
]
const forMerchants = served.flatMap(({ rpcs }) =>
  Object.entries(rpcs as Declared)
    .filter(([, { access }]) => access.grants.some(({ kind }) => kind === 'merchant'))
    .map(([name]) => name),
)

describe('with a test key', () => {
  test.each(forMerchants)(
    '%s neither changes nor shows a live rider, invite or order, and sends nothing',
    async (name) => {
      const given = await liveFleet()
      const [client, request] = attempts()[name] ?? []
      if (!client || !request) throw new Error(`${name} is for merchants: say here what an attacker would ask`)
      const before = await liveRows()
      const sent = phones.provider.requests.length
      const asTester = client(merchantCaller({ merchantId: given.merchantId }))
      const answer = await asTester[name](request(given)).catch((error: Error) => ({ refused: String(error) }))
      expect(await liveRows()).toEqual(before)
      expect(phones.provider.requests).toHaveLength(sent)
      for (const secret of [given.phone, given.riderId, given.invite.code])
        expect(JSON.stringify(answer)).not.toContain(secret)
    },
  )

  test('live riders are not found, and invites and fleets are live settings', async () => {
    const { merchantId, riderId } = await liveFleet()
    const tester = merchantCaller({ merchantId })
    const is_online = false
    const fleet = mesh.fleet(tester)
    await expect(mesh.riders(tester).setRiderOnline({ rider_id: riderId, is_online })).rejects.toEqual(
      refusal('not_found'),
    )
    const liveMode = refusal('forbidden', { reason: 'live_mode_required' })
    await expect(fleet.createInviteCode({})).rejects.toEqual(liveMode)
    await expect(fleet.listInviteCodes({ limit: 1, offset: 0 })).rejects.toEqual(liveMode)
    await expect(fleet.revokeInviteCode({ id: randomUUID() })).rejects.toEqual(liveMode)
    await expect(fleet.listFleetRiders({ limit: 1, offset: 0 })).rejects.toEqual(liveMode)
    await expect(fleet.removeFleetRider({ rider_id: riderId })).rejects.toEqual(liveMode)
  })
})
