import type { Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { livePositions } from '../../db/live-positions.ts'
import type { RiderPosition } from '../../domain/rider-position.ts'

/** Where the riders are whom the merchant may watch: those of its fleet, and those who carry its orders. */
export async function listLivePositions({ config, database }: Context, viewer: Tenant): Promise<RiderPosition[]> {
  return livePositions(database, viewer, config.liveLocationMaxAgeSeconds)
}
