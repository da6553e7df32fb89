import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { type Area, findAreas } from '../../db/areas.ts'

/** The platform's geofences: the active ones for merchants, all for operators. */
export const listPlatformGeofences = ({ database }: Context, { scope }: By): Promise<Area[]> =>
  findAreas(database, { merchantId: null }, { activeOnly: scope !== 'every tenant' })
