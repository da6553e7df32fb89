import type { PlaceServiceService } from '@svc/contracts/dispatch/v1/place_service'
import { type Call, type Handlers, requireAdmin, requireMerchant } from '@svc/grpc'
import { resourceId } from '@svc/inputs'
import type { Context } from '../context.ts'
import { findAreas } from '../db/areas.ts'
import { readVehicle } from '../domain/parcel.ts'
import { readPoints, requirePoint } from '../domain/point.ts'
import { readSchedule } from '../domain/read-schedule.ts'
import { coverageMessage, scheduleMessage, zoneMessage } from '../messages/places.ts'
import { merchantOf } from '../use-cases/merchant-of.ts'
import { getSchedule } from '../use-cases/places/get-schedule.ts'
import { replaceAreaSet } from '../use-cases/places/replace-areas.ts'
import { replaceSchedule } from '../use-cases/places/replace-schedule.ts'
import { assessDelivery } from '../use-cases/pricing/assess-delivery.ts'

const READ = 'admin.merchants.read'
const WRITE = 'admin.merchants.write'
const OPERATE = 'admin.system.write'
const PLATFORM = { merchantId: null }

/** The rpcs of areas and schedules: operators keep them, merchants read their own and ask what is covered. */
export function placeService(ctx: Context): Handlers<typeof PlaceServiceService> {
  return {
    async checkCoverage({ point, pickup, dropoff, vehicle_type }, call) {
      const { merchantId } = requireMerchant(call)
      const points = readPoints({ pickup, dropoff, point })
      if (points.length === 0) requirePoint('point', undefined)
      const vehicle = readVehicle(vehicle_type)
      const { coverage } = await assessDelivery(ctx, { merchantId, vehicle, points })
      return coverageMessage(coverage)
    },

    async listDispatchZones({ merchant_id }, call) {
      if (merchant_id !== undefined) {
        const set = { merchantId: asOperator(call, merchant_id, READ) }
        await merchantOf(ctx, set.merchantId)
        return { zones: (await ctx.transact('every tenant', (tx) => findAreas(tx.sql, set))).map(zoneMessage) }
      }
      const tenant = requireMerchant(call)
      return { zones: (await ctx.transact(tenant, (tx) => findAreas(tx.sql, tenant))).map(zoneMessage) }
    },

    async replaceDispatchZones({ merchant_id, zones }, call) {
      const merchantId = asOperator(call, merchant_id, WRITE)
      return { zones: (await replaceAreaSet(ctx, call.caller, { merchantId }, zones)).map(zoneMessage) }
    },

    async getDispatchSchedule({ merchant_id }, call) {
      return { schedule: scheduleMessage(await getSchedule(ctx, asOperator(call, merchant_id, READ))) }
    },

    async replaceDispatchSchedule({ merchant_id, schedule }, call) {
      const merchantId = asOperator(call, merchant_id, WRITE)
      const read = readSchedule(schedule ?? { timezone: '', windows: [], closed_dates: [] })
      return { schedule: scheduleMessage(await replaceSchedule(ctx, call.caller, merchantId, read)) }
    },

    async listPlatformGeofences(_request, call) {
      const activeOnly = call.caller.kind !== 'admin'
      if (activeOnly) requireMerchant(call)
      else requireAdmin(call, OPERATE)
      const areas = await ctx.transact('every tenant', (tx) => findAreas(tx.sql, PLATFORM, { activeOnly }))
      return { zones: areas.map(zoneMessage) }
    },

    async replacePlatformGeofences({ zones }, call) {
      const caller = requireAdmin(call, OPERATE)
      return { zones: (await replaceAreaSet(ctx, caller, PLATFORM, zones)).map(zoneMessage) }
    },
  }
}

function asOperator(call: Call, merchantId: string, permission: string): string {
  requireAdmin(call, permission)
  return resourceId(merchantId)
}
