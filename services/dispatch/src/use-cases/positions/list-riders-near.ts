import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { type NearQuery, type NearRider, nearRiders } from '../../db/near-riders.ts'
import { merchantOf } from '../remember-merchant.ts'

type Question = Pick<NearQuery, 'point' | 'metres' | 'limit' | 'onlineOnly'> & {
  /** Operators may name a merchant; without one they see every rider. */
  merchantId: string | null
}

/** Riders of the merchant's fleet and freelancers with a live position, nearest first. Live callers never see the sandbox rider. */
export async function listRidersNear(
  ctx: Context,
  { scope }: By,
  { merchantId, ...query }: Question,
): Promise<NearRider[]> {
  if (scope === 'every tenant' && merchantId !== null) await merchantOf(ctx, merchantId)
  const viewer = scope === 'every tenant' ? { merchantId, isTest: false } : scope
  return nearRiders(ctx.database, {
    ...query,
    merchantId: viewer.merchantId,
    isTest: viewer.isTest === true ? null : false,
    maxAgeSeconds: ctx.config.liveLocationMaxAgeSeconds,
  })
}
