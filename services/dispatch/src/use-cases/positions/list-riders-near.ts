import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { type NearQuery, type NearRider, nearRiders } from '../../db/near-riders.ts'
import { ridersShownTo, shownTo } from '../../messages/shown-riders.ts'
import { merchantOf } from '../remember-merchant.ts'

type Question = Pick<NearQuery, 'point' | 'metres' | 'limit' | 'onlineOnly'> & {
  /** Operators may name a merchant; without one they see every rider. */
  merchantId: string | null
}

/**
 * Riders of the merchant's fleet and, for one that may trade, freelancers with a live position, nearest first; those who
 * have nothing to do with the merchant as strangers. Live callers never see the sandbox rider, test credentials no other.
 */
export async function listRidersNear(ctx: Context, by: By, { merchantId, ...query }: Question): Promise<NearRider[]> {
  const { scope } = by
  if (scope === 'every tenant' && merchantId !== null) await merchantOf(ctx, merchantId)
  const near = await nearRiders(ctx.database, {
    ...query,
    merchantId: scope === 'every tenant' ? merchantId : scope.merchantId,
    who: ridersShownTo(ctx.config, by, by.caller.isTest === true),
    maxAgeSeconds: ctx.config.liveLocationMaxAgeSeconds,
  })
  return near.map((rider) => shownTo(by, rider, query.point))
}
