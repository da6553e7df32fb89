import type {
  RequestRiderLoginRequest,
  RiderTokens,
  VerifyRiderLoginRequest,
} from '@svc/contracts/dispatch/v1/rider_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { Context } from '../../context.ts'
import { logOtpSend } from '../../db/otps.ts'
import { findRiderByPhone, lockRiderByPhone } from '../../db/riders.ts'
import { invalidOtp, OTP_MAX_TRIES, SANDBOX_CODE } from '../../domain/otp.ts'
import { isSandbox, provenPhone, requirePhone } from '../../domain/rider.ts'
import { issueOtp, type SentOtp, sentNow } from '../otp/issue-otp.ts'
import { sendOtp } from '../otp/send-otp.ts'
import { usingOtp } from '../otp/verify-otp.ts'
import { changeRider } from './change-rider.ts'
import { issueTokens } from './issue-tokens.ts'

const ACCESS_TTL_SECONDS = 3600

/**
 * Sends a login code. Whether the phone is anybody's shows neither in the answer nor in the time it takes: the message
 * goes out afterwards. In the test environment nothing is sent and nothing kept.
 */
export async function requestRiderLogin(ctx: Context, request: RequestRiderLoginRequest): Promise<SentOtp> {
  const phone = requirePhone(request.phone)
  const { provider } = ctx.messenger
  const skipped = { channel: 'rider_phone', phone, provider, status: 'skipped' } as const
  if (request.is_test) {
    return ctx.transact('every tenant', async (tx) => {
      await logOtpSend(tx, skipped)
      return sentNow(tx, ctx.config)
    })
  }
  ctx.messenger.assertConfigured()
  const { issued, rider } = await ctx.transact('every tenant', async (tx) => ({
    issued: await issueOtp(tx, ctx.config, { purpose: 'rider_login', subjectId: phone, phone }),
    rider: await findRiderByPhone(tx, phone),
  }))
  const isKnown = rider !== null && !isSandbox(rider.id)
  ctx.messenger.afterwards(
    isKnown
      ? sendOtp(ctx, issued, { channel: 'rider_phone', riderId: rider.id })
      : ctx.transact('every tenant', (tx) => logOtpSend(tx, skipped)),
  )
  return issued.sent
}

/** Code to tokens, once; also proves the phone. */
export async function verifyRiderLogin(ctx: Context, request: VerifyRiderLoginRequest): Promise<RiderTokens> {
  const phone = requirePhone(request.phone)
  if (request.is_test) return logInSandbox(ctx, phone, request)
  const tried = { purpose: 'rider_login', subjectId: phone, code: request.code } as const
  const rider = await usingOtp(ctx, tried, async (tx) => {
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

/** The one code that always works, for the one rider that is nobody. */
function logInSandbox(ctx: Context, phone: string, request: VerifyRiderLoginRequest): Promise<RiderTokens> {
  if (phone !== SANDBOX_RIDER.phone || request.code !== SANDBOX_CODE) throw invalidOtp(OTP_MAX_TRIES)
  return issueTokens(ctx, {
    riderId: SANDBOX_RIDER.id,
    merchantId: request.sandbox_merchant_id ?? null,
    accessTtlSeconds: ACCESS_TTL_SECONDS,
    isRefreshed: true,
  })
}
