import { type By, merchantNamed, type Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { livePositions } from '../../db/live-positions.ts'
import type { RiderPosition } from '../../domain/rider-position.ts'

export interface Watched {
  viewer: Tenant
  riders: RiderPosition[]
}

/**
 * Where the riders are whom a merchant may watch: those of its fleet, and those who carry its orders. A service names the
 * merchant; it sees those of both environments.
 */
export async function listLivePositions(
  { config, database }: Context,
  by: By,
  named: string | undefined,
): Promise<Watched> {
  const viewer = by.scope === 'every tenant' ? { merchantId: merchantNamed(by, named), isTest: null } : by.scope
  return { viewer, riders: await livePositions(database, viewer, config.liveLocationMaxAgeSeconds) }
}
