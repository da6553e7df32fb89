import { ServiceError, validationError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { storeSignup } from '../../db/cloud-signups.ts'
import type { AssetChoice } from '../../domain/cloud-asset.ts'
import type { CloudConnection } from '../../domain/cloud-status.ts'
import { newPin, requireCloud } from '../../peers/cloud.ts'
import { CloudRefusedError } from '../../peers/cloud-api.ts'
import { connectAsset } from '../../peers/connect-asset.ts'

/**
 * Exchanges the code of a signup and connects its phone number. The code is good once, so what it was exchanged for is kept,
 * sealed, before anything else is asked: where there are several numbers, or anything fails, the signup goes on from there.
 */
export async function exchangeCloudToken(
  ctx: Context,
  by: By<Tenant>,
  { code, ...choice }: { code: string } & AssetChoice,
): Promise<CloudConnection> {
  const calls = requireCloud(ctx).begin()
  const accessToken = await calls.exchangeCode(code).catch((error: unknown) => refuseCode(ctx, error))
  const { merchantId } = by.scope
  const signup = await ctx.transact(by.scope, (tx) =>
    storeSignup(tx, ctx.secretBox, { merchantId, accessToken, pin: newPin() }),
  )
  ctx.failpoint('cloud.exchanged')
  return connectAsset(ctx, by, { calls, signup, choice })
}

/** The provider's code for a wrong parameter, of which the code of the signup is the only one that a merchant gives. */
const WRONG_PARAMETER = 100

function refuseCode({ logger }: Context, error: unknown): never {
  if (!(error instanceof CloudRefusedError)) throw error
  if (error.code === WRONG_PARAMETER) throw validationError([REFUSED_CODE])
  // Any other refusal is about our own settings there: merchants can do nothing about it.
  logger.error({ err: error, alert: 'cloud_refused' }, "the messaging app's cloud refuses to exchange a code")
  throw new ServiceError('service_unavailable', { cause: error })
}

const REFUSED_CODE = {
  field: 'code',
  rule: 'refused',
  message: 'The code is not valid, was used before, or has expired; sign up again.',
}
