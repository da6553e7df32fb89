import type { PositionPoint, PositionServiceService } from '@svc/contracts/dispatch/v1/position_service'
import { type FieldFault, ServiceError, validationError } from '@svc/errors'
import { type Call, type Handlers, requireAdmin, requireMerchant, type Tenant, tenantOf } from '@svc/grpc'
import { optionalUuid } from '@svc/inputs'
import type { Context } from '../context.ts'
import type { NewPosition } from '../domain/new-position.ts'
import { requirePoint } from '../domain/point.ts'
import { riderLocation } from '../messages/rider-location.ts'
import { merchantOf } from '../use-cases/merchant-of.ts'
import { listLivePositions } from '../use-cases/positions/list-live-positions.ts'
import { listPositionHistory } from '../use-cases/positions/list-position-history.ts'
import { listRidersNear } from '../use-cases/positions/list-riders-near.ts'
import { recordPositions } from '../use-cases/positions/record-positions.ts'
import { trackPosition } from '../use-cases/positions/track-position.ts'

const MAX_HISTORY = 2_000
const DEFAULT_HISTORY = 200

/** A merchant that has any of the scopes. */
function requireAnyScope(call: Call, ...scopes: [string, ...string[]]): Tenant {
  return requireMerchant(call, scopes.find((scope) => call.caller.scopes.includes(scope)) ?? scopes[0])
}

interface Viewer {
  merchantId: string | null
  isTest: boolean | null
}

/** Whose riders the caller may look for: merchants for themselves, operators for the merchant they name, if there is one. */
async function viewerOf(ctx: Context, call: Call, named: string | undefined): Promise<Viewer> {
  if (call.caller.kind !== 'admin') return requireAnyScope(call, 'orders:read', 'orders:write')
  requireAdmin(call, 'admin.riders.read')
  const merchantId = optionalUuid('merchant_id', named)
  if (merchantId !== null) await merchantOf(ctx, merchantId)
  return { merchantId, isTest: false }
}

/** The merchant whose room is filled: its own call, or the gateway's on behalf of its sockets. */
function watcherOf({ caller }: Call, merchantId: string | undefined): Tenant {
  if (caller.kind === 'merchant') return tenantOf(caller)
  const named = optionalUuid('merchant_id', merchantId)
  if (caller.kind !== 'system' || named === null) throw new ServiceError('forbidden')
  return { merchantId: named, isTest: null }
}

/** The rpcs of positions: riders and merchants report them, merchants and the public look at them. */
export function positionService(ctx: Context): Handlers<typeof PositionServiceService> {
  return {
    async recordPositions({ rider_id, points }, call) {
      const { caller } = call
      if (caller.kind !== 'rider') requireAnyScope(call, 'riders:location', 'orders:write')
      const { position } = await recordPositions(ctx, caller, rider_id, points.map(newPosition))
      const viewer = { merchantId: caller.kind === 'rider' ? null : tenantOf(caller).merchantId, isTest: caller.isTest }
      return { accepted: points.length, location: position ? riderLocation(position, viewer) : undefined }
    },

    async listPositionHistory({ rider_id, since, until, order, limit }, call) {
      const { merchantId } = requireAnyScope(call, 'orders:read', 'orders:write')
      const items = await listPositionHistory(ctx, merchantId, {
        riderId: rider_id,
        since: since === undefined ? null : new Date(since),
        until: until === undefined ? null : new Date(until),
        order: order === 'asc' ? 'asc' : 'desc',
        limit: within('limit', limit || DEFAULT_HISTORY, MAX_HISTORY),
      })
      return {
        items: items.map(({ lat, lng, accuracy_m, recorded_at }) => ({
          lat,
          lng,
          accuracy_m: accuracy_m ?? undefined,
          recorded_at: recorded_at.toISOString(),
        })),
      }
    },

    async listRidersNear({ merchant_id, point, metres, limit, online_only }, call) {
      const viewer = await viewerOf(ctx, call, merchant_id)
      const { lat, lng } = requirePoint('point', point)
      const items = await listRidersNear(ctx, viewer, {
        point: { lat, lng },
        metres: within('metres', metres, 100_000),
        limit: within('limit', limit, 100),
        onlineOnly: online_only,
      })
      return {
        items: items.map((rider) => ({
          rider_id: rider.rider_id,
          name: rider.name,
          phone: rider.phone,
          vehicle_type: rider.vehicle_type,
          lat: rider.lat,
          lng: rider.lng,
          distance_m: rider.distance_m,
          is_online: rider.is_online,
          location_age_seconds: Math.floor(rider.location_age_seconds),
        })),
      }
    },

    async listLivePositions({ merchant_id }, call) {
      const viewer = watcherOf(call, merchant_id)
      const positions = await listLivePositions(ctx, viewer)
      return { riders: positions.map((position) => riderLocation(position, viewer)) }
    },

    async getTrackedPosition({ order_id, rider_id }, { caller }) {
      if (caller.kind !== 'public' && caller.kind !== 'system') throw new ServiceError('forbidden')
      const tracked = await trackPosition(ctx, order_id, rider_id)
      if (!tracked) return { point: undefined, recorded_at: undefined }
      const { lat, lng, recorded_at } = tracked
      return { point: { lat, lng }, recorded_at: recorded_at.toISOString() }
    },
  }
}

const newPosition = (point: PositionPoint): NewPosition => ({
  lat: point.lat,
  lng: point.lng,
  accuracyM: point.accuracy_m ?? null,
  speedMps: point.speed_mps ?? null,
  headingDeg: point.heading_deg ?? null,
  batteryPct: point.battery_pct ?? null,
  recordedAt: point.recorded_at === undefined ? null : new Date(point.recorded_at),
})

function within(field: string, value: number, most: number): number {
  if (value >= 1 && value <= most) return value
  const fault: FieldFault = { field, rule: 'range', limit: most, message: `${field} must be from 1 to ${most}.` }
  throw validationError([fault])
}
