import type { RiderTokens } from '@svc/contracts/dispatch/v1/rider_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { By } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { type LoginPlace, loginPlace, rememberPlace } from '../../db/login-places.ts'
import { committing, tryLogin } from '../../db/otps.ts'
import { changeRider, findRiderByPhone, lockRiderByPhone } from '../../db/riders.ts'
import { invalidOtp, OTP_MAX_TRIES, SANDBOX_CODE } from '../../domain/otp.ts'
import { isSandbox, provenPhone, type Rider } from '../../domain/rider.ts'
import { issueTokens } from './mint-rider-token.ts'

const ACCESS_TTL_SECONDS = 3600

interface Login {
  phone: string
  code: string
  isTest: boolean
  /** The merchant of the test key sent along, to which a sandbox token is bound. */
  sandboxMerchantId: string | null
}

/** Code to tokens, once; also proves the phone. */
export async function verifyRiderLogin(ctx: Context, { caller }: By, login: Login): Promise<RiderTokens> {
  if (login.isTest) return logInSandbox(ctx, login)
  const { phone, code } = login
  const rider = await committing(ctx, async (tx) => {
    const known = await findRiderByPhone(tx, phone)
    const place = await loginPlace(tx, ctx.config, { phone, riderId: known?.id, ip: caller.ip })
    const judged = await tryLogin(tx, ctx.config, place, code)
    return judged.ok ? { ok: true, result: await logIn(tx, phone, place) } : judged
  })
  // Codes to unknown phones were never sent: this one was guessed.
  if (!rider) throw invalidOtp(0)
  const { id: riderId, merchantId } = rider
  return issueTokens(ctx, { riderId, merchantId, accessTtlSeconds: ACCESS_TTL_SECONDS, isRefreshed: true })
}

/** The rider whose phone said yes, as it is from now on; null where nobody has the phone. */
async function logIn(tx: Tx, phone: string, place: LoginPlace): Promise<Rider | null> {
  const found = await lockRiderByPhone(tx, phone)
  if (!found || isSandbox(found.id)) return null
  await rememberPlace(tx, found.id, place)
  const change = provenPhone(found, phone, tx.now)
  return change ? changeRider(tx, found.id, change) : found
}

/** The one code that always works, for the rider that all sandboxes share. */
function logInSandbox(ctx: Context, { phone, code, sandboxMerchantId }: Login): Promise<RiderTokens> {
  if (phone !== SANDBOX_RIDER.phone || code !== SANDBOX_CODE) throw invalidOtp(OTP_MAX_TRIES)
  return issueTokens(ctx, {
    riderId: SANDBOX_RIDER.id,
    merchantId: sandboxMerchantId,
    accessTtlSeconds: ACCESS_TTL_SECONDS,
    isRefreshed: true,
  })
}
