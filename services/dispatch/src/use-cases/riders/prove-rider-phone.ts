import type { RequestRiderPhoneOtpRequest, VerifyRiderPhoneOtpRequest } from '@svc/contracts/dispatch/v1/rider_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { logOtpSend } from '../../db/otps.ts'
import { invalidOtp, OTP_MAX_TRIES, SANDBOX_CODE } from '../../domain/otp.ts'
import { assertNotSandbox, isSandbox, provenPhone, type Rider, requirePhone } from '../../domain/rider.ts'
import { issueOtp, type SentOtp, sentNow } from '../otp/issue-otp.ts'
import { sendOtp } from '../otp/send-otp.ts'
import { usingOtp } from '../otp/verify-otp.ts'
import { findAllowedRider, lockAllowedRider } from './allowed-rider.ts'
import { changeRider } from './change-rider.ts'

/** Sends a code to the phone that the rider has or is to have. */
export async function requestRiderPhoneOtp(
  ctx: Context,
  caller: Caller,
  { rider_id: riderId, phone: given }: RequestRiderPhoneOtpRequest,
): Promise<SentOtp> {
  if (isSandbox(riderId)) return skipForSandbox(ctx, caller, given)
  const issued = await ctx.transact('every tenant', async (tx) => {
    // Not held: a verification holds the code before it takes the rider.
    const rider = await findAllowedRider(tx, caller, riderId)
    const phone = given === undefined ? rider.phone : requirePhone(given)
    await assertPhoneFree(tx, caller, rider, phone)
    ctx.messenger.assertConfigured()
    return issueOtp(tx, ctx.config, { purpose: 'rider_phone', subjectId: rider.id, phone })
  })
  await sendOtp(ctx, issued, { channel: 'rider_phone', riderId })
  return issued.sent
}

/** Sets the phone to which the code went, as proven. */
export async function verifyRiderPhoneOtp(
  ctx: Context,
  caller: Caller,
  { rider_id: riderId, code, phone: given }: VerifyRiderPhoneOtpRequest,
): Promise<Rider> {
  const rider = await ctx.transact('every tenant', (tx) => findAllowedRider(tx, caller, riderId))
  if (isSandbox(riderId)) {
    if (code !== SANDBOX_CODE) throw invalidOtp(OTP_MAX_TRIES)
    return rider
  }
  const phone = given === undefined ? undefined : requirePhone(given)
  return usingOtp(ctx, { purpose: 'rider_phone', subjectId: riderId, code, phone }, async (tx, otp) => {
    const found = await lockAllowedRider(tx, caller, riderId)
    const change = provenPhone(found, otp.phone, tx.now)
    return change ? changeRider(tx, riderId, change) : found
  })
}

async function assertPhoneFree(tx: Tx, caller: Caller, rider: Rider, phone: string): Promise<void> {
  if (phone === rider.phone) return
  if (rider.proofRequired && caller.kind === 'merchant') {
    const message = 'The rider was somebody before joining the fleet and has to prove the present phone first.'
    throw new ServiceError('forbidden', { message, details: { reason: 'phone_not_verified' } })
  }
  const { rows } = await tx.sql('SELECT 1 FROM riders WHERE phone = $1', [phone])
  if (rows.length > 0) throw new ServiceError('phone_in_use')
}

async function skipForSandbox(ctx: Context, caller: Caller, given: string | undefined): Promise<SentOtp> {
  return ctx.transact('every tenant', async (tx) => {
    const rider = await findAllowedRider(tx, caller, SANDBOX_RIDER.id)
    if (given !== undefined && requirePhone(given) !== rider.phone) assertNotSandbox(rider.id)
    const { provider } = ctx.messenger
    await logOtpSend(tx, { channel: 'rider_phone', phone: rider.phone, riderId: rider.id, provider, status: 'skipped' })
    return sentNow(tx, ctx.config)
  })
}
