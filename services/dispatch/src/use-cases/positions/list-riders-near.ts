import type { Context } from '../../context.ts'
import { type NearQuery, type NearRiderRow, nearRiders } from '../../db/near-riders.ts'
import { sqlOf } from '../../db/sql-of.ts'

/** Riders of the merchant's fleet and freelancers with a live position, nearest first. Live callers never see the sandbox rider. */
export async function listRidersNear(
  { config, database }: Context,
  viewer: { merchantId: string | null; isTest: boolean | null },
  query: Pick<NearQuery, 'point' | 'metres' | 'limit' | 'onlineOnly'>,
): Promise<NearRiderRow[]> {
  return nearRiders(sqlOf(database.worker), {
    ...query,
    merchantId: viewer.merchantId,
    isTest: viewer.isTest === true ? null : false,
    maxAgeSeconds: config.liveLocationMaxAgeSeconds,
  })
}
