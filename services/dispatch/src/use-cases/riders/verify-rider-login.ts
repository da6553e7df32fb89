import type { RiderTokens } from '@svc/contracts/dispatch/v1/rider_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { usingOtp } from '../../db/otps.ts'
import { changeRider, lockRiderByPhone } from '../../db/riders.ts'
import { invalidOtp, OTP_MAX_TRIES, SANDBOX_CODE } from '../../domain/otp.ts'
import { isSandbox, provenPhone } from '../../domain/rider.ts'
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
export async function verifyRiderLogin(ctx: Context, _by: By, login: Login): Promise<RiderTokens> {
  if (login.isTest) return logInSandbox(ctx, login)
  const { phone, code } = login
  const rider = await usingOtp(ctx, { purpose: 'rider_login', subjectId: phone, code }, async (tx) => {
    const found = await lockRiderByPhone(tx, phone)
    if (!found || isSandbox(found.id)) return null
    const change = provenPhone(found, phone, tx.now)
    return change ? changeRider(tx, found.id, change) : found
  })
  // Codes to unknown phones were never sent: this one was guessed.
  if (!rider) throw invalidOtp(0)
  const { id: riderId, merchantId } = rider
  return issueTokens(ctx, { riderId, merchantId, accessTtlSeconds: ACCESS_TTL_SECONDS, isRefreshed: true })
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
