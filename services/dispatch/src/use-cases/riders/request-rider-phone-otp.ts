import { SANDBOX_RIDER } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { issueOtp, logOtpSend } from '../../db/otps.ts'
import { findRider, findRiderByPhone } from '../../db/riders.ts'
import { type SentOtp, sentOtp } from '../../domain/otp.ts'
import { assertNotSandbox, isSandbox, type Rider, requireOwn } from '../../domain/rider.ts'
import { sendOtp } from '../../peers/send-otp.ts'

/** Sends a code to the phone that the rider has or is to have. */
export async function requestRiderPhoneOtp(
  ctx: Context,
  by: By,
  { riderId, phone: given }: { riderId: string; phone?: string },
): Promise<SentOtp> {
  if (isSandbox(riderId)) return skipForSandbox(ctx, by, given)
  const issued = await ctx.transact('every tenant', async (tx) => {
    // Not held: a verification holds the code before it takes the rider.
    const rider = requireOwn(by.caller, await findRider(tx, riderId))
    const phone = given ?? rider.phone
    await assertPhoneFree(tx, by, rider, phone)
    ctx.messenger.assertConfigured()
    return issueOtp(tx, ctx.config, { purpose: 'rider_phone', subjectId: rider.id, phone })
  })
  await sendOtp(ctx, issued, { channel: 'rider_phone', riderId })
  return issued.sent
}

async function assertPhoneFree(tx: Tx, { caller }: By, rider: Rider, phone: string): Promise<void> {
  if (phone === rider.phone) return
  if (rider.proofRequired && caller.kind === 'merchant') {
    const message = 'The rider was somebody before joining the fleet and has to prove the present phone first.'
    throw new ServiceError('forbidden', { message, details: { reason: 'phone_not_verified' } })
  }
  if (await findRiderByPhone(tx, phone)) throw new ServiceError('phone_in_use')
}

async function skipForSandbox(ctx: Context, { caller }: By, given: string | undefined): Promise<SentOtp> {
  return ctx.transact('every tenant', async (tx) => {
    const rider = requireOwn(caller, await findRider(tx, SANDBOX_RIDER.id))
    if (given !== undefined && given !== rider.phone) assertNotSandbox(rider.id)
    const { provider } = ctx.messenger
    await logOtpSend(tx, { channel: 'rider_phone', phone: rider.phone, riderId: rider.id, provider, status: 'skipped' })
    return sentOtp(tx.now, ctx.config)
  })
}
