import { PlaceServiceService } from '@svc/contracts/dispatch/v1/place_service'
import { either, merchant, operator, rpc, serving } from '@svc/grpc'
import { resourceId } from '@svc/inputs'
import type { Context } from '../context.ts'
import { readVehicle } from '../domain/parcel.ts'
import { readSomePoint } from '../domain/point.ts'
import { readSchedule } from '../domain/read-schedule.ts'
import { coverageMessage, scheduleMessage, zoneMessage } from '../messages/places.ts'
import { checkCoverage } from '../use-cases/places/check-coverage.ts'
import { getDispatchSchedule } from '../use-cases/places/get-dispatch-schedule.ts'
import { listDispatchZones } from '../use-cases/places/list-dispatch-zones.ts'
import { listPlatformGeofences } from '../use-cases/places/list-platform-geofences.ts'
import { replaceDispatchSchedule } from '../use-cases/places/replace-dispatch-schedule.ts'
import { replaceDispatchZones } from '../use-cases/places/replace-dispatch-zones.ts'
import { replacePlatformGeofences } from '../use-cases/places/replace-platform-geofences.ts'

const MERCHANT = merchant('orders:read', 'orders:write')
const READ = operator('admin.merchants.read')
const WRITE = operator('admin.merchants.write')
const OPERATE = operator('admin.system.write')

/** The rpcs of areas and schedules: operators keep them, merchants read their own and ask what is covered. */
export const placeService = serving<Context>()(PlaceServiceService, {
  checkCoverage: rpc({
    access: MERCHANT,
    handle: async (ctx, by, { vehicle_type, ...points }) =>
      coverageMessage(
        await checkCoverage(ctx, by, { points: readSomePoint(points), vehicle: readVehicle(vehicle_type) }),
      ),
  }),

  listDispatchZones: rpc({
    access: either(MERCHANT, READ),
    handle: async (ctx, by, { merchant_id }) => ({
      zones: (await listDispatchZones(ctx, by, merchant_id)).map(zoneMessage),
    }),
  }),

  replaceDispatchZones: rpc({
    access: WRITE,
    handle: async (ctx, by, { merchant_id, zones }) => ({
      zones: (await replaceDispatchZones(ctx, by, { merchantId: resourceId(merchant_id), zones })).map(zoneMessage),
    }),
  }),

  getDispatchSchedule: rpc({
    access: READ,
    handle: async (ctx, by, { merchant_id }) => ({
      schedule: scheduleMessage(await getDispatchSchedule(ctx, by, resourceId(merchant_id))),
    }),
  }),

  replaceDispatchSchedule: rpc({
    access: WRITE,
    async handle(ctx, by, { merchant_id, schedule }) {
      const wanted = { merchantId: resourceId(merchant_id), schedule: readSchedule(schedule) }
      return { schedule: scheduleMessage(await replaceDispatchSchedule(ctx, by, wanted)) }
    },
  }),

  listPlatformGeofences: rpc({
    access: either(MERCHANT, OPERATE),
    handle: async (ctx, by) => ({ zones: (await listPlatformGeofences(ctx, by)).map(zoneMessage) }),
  }),

  replacePlatformGeofences: rpc({
    access: OPERATE,
    handle: async (ctx, by, { zones }) => ({
      zones: (await replacePlatformGeofences(ctx, by, zones)).map(zoneMessage),
    }),
  }),
})
