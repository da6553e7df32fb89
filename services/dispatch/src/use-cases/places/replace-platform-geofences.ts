import type { ZoneInput } from '@svc/contracts/dispatch/v1/place_service'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import type { Area } from '../../db/areas.ts'
import { replaceAreaSet } from './replace-dispatch-zones.ts'

/** Puts new geofences in the place of the platform's, as zones are replaced. */
export const replacePlatformGeofences = (ctx: Context, by: By, geofences: readonly ZoneInput[]): Promise<Area[]> =>
  replaceAreaSet(ctx, by, { merchantId: null }, geofences)
