import type { RiderTokens } from '@svc/contracts/dispatch/v1/rider_service'
import { ServiceError } from '@svc/errors'
import { systemCaller } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { isSandbox } from '../../domain/rider.ts'

interface Wanted {
  riderId: string
  /** The merchant to which the tokens are bound: of the rider's fleet, or for the sandbox rider of the test key. */
  merchantId: string | null
  accessTtlSeconds: number
  isRefreshed: boolean
}

/** Tokens of a rider, bound to the fleet to which the rider belongs when they are handed out. */
export async function issueTokens(ctx: Context, wanted: Wanted): Promise<RiderTokens> {
  const { riderId, merchantId, accessTtlSeconds, isRefreshed } = wanted
  const issued = await ctx.credentials.as(systemCaller('dispatch')).issueRiderTokens({
    rider_id: riderId,
    merchant_id: merchantId ?? undefined,
    is_test: isSandbox(riderId),
    access_ttl_seconds: accessTtlSeconds,
    with_refresh_token: isRefreshed,
  })
  await assertStillBound(ctx, wanted)
  return { ...issued, rider_id: riderId, is_sandbox: isSandbox(riderId), merchant_id: merchantId ?? undefined }
}

/** A fleet left in between may have ended its tokens before these were made; then nobody ever sees them. */
async function assertStillBound(ctx: Context, { riderId, merchantId }: Wanted): Promise<void> {
  if (isSandbox(riderId)) return
  const { rows } = await ctx.database.worker.query<{ merchant_id: string | null }>(
    'SELECT merchant_id FROM riders WHERE id = $1',
    [riderId],
  )
  if (rows[0]?.merchant_id !== merchantId) throw new ServiceError('service_unavailable')
}
