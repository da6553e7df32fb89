import { SANDBOX_RIDER } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { issueOtp } from '../../db/otps.ts'
import { findRider, findRiderByPhone } from '../../db/riders.ts'
import { type SentOtp, sentOtp } from '../../domain/otp.ts'
import { assertMayMove, assertNotSandbox, isSandbox, type Rider, requireOwn } from '../../domain/rider.ts'
import { phoneSms } from '../../messages/sms.ts'
import { sendOtp } from '../../peers/send-otp.ts'

/** Sends a code to the phone that the rider has or, where the caller may move it, is to have. */
export async function requestRiderPhoneOtp(
  ctx: Context,
  by: By,
  { riderId, phone: given }: { riderId: string; phone?: string },
): Promise<SentOtp> {
  if (isSandbox(riderId)) return skipForSandbox(ctx, by, given)
  // Not held: a verification holds the code before it takes the rider, and judges again.
  const rider = requireOwn(by.caller, await findRider(ctx.database, riderId))
  const phone = given ?? rider.phone
  if (phone !== rider.phone) await assertCanMove(ctx, by, rider, phone)
  ctx.messenger.assertConfigured()
  const issued = await ctx.transact('every tenant', (tx) =>
    issueOtp(tx, ctx.config, { purpose: 'rider_phone', subjectId: rider.id, phone, merchantId: rider.merchantId }),
  )
  await sendOtp(ctx, issued, { channel: 'rider_phone', riderId, text: phoneSms })
  return issued.sent
}

async function assertCanMove(ctx: Context, { caller }: By, rider: Rider, phone: string): Promise<void> {
  assertMayMove(caller, rider, new Date(), caller.kind === 'merchant' && (await ctx.wallet.hasLedger(rider.id)))
  if (await findRiderByPhone(ctx.database, phone)) throw new ServiceError('phone_in_use')
}

async function skipForSandbox(ctx: Context, { caller }: By, given: string | undefined): Promise<SentOtp> {
  return ctx.transact('every tenant', async (tx) => {
    const rider = requireOwn(caller, await findRider(tx, SANDBOX_RIDER.id))
    if (given !== undefined && given !== rider.phone) assertNotSandbox(rider.id)
    return sentOtp(tx.now, ctx.config)
  })
}
