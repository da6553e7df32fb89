import { SANDBOX_RIDER } from '@svc/credentials'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { loginPlace } from '../../db/login-places.ts'
import { issueOtp, logOtpSend } from '../../db/otps.ts'
import { findRiderByPhone } from '../../db/riders.ts'
import { type SentOtp, sentOtp } from '../../domain/otp.ts'
import { loginSms } from '../../messages/sms.ts'
import { sendOtp } from '../../peers/send-otp.ts'

/**
 * Sends a login code. Whether a rider has the phone shows neither in the answer nor in the time it takes: the message
 * goes out afterwards. A network that the rider has logged in from has codes of its own, which requests from elsewhere
 * neither use up nor replace. In the test environment nothing is sent and nothing kept.
 */
export async function requestRiderLogin(
  ctx: Context,
  { caller }: By,
  { phone, isTest }: { phone: string; isTest: boolean },
): Promise<SentOtp> {
  const { provider } = ctx.messenger
  const skipped = { channel: 'rider_phone', phone, provider, status: 'skipped' } as const
  // The sandbox rider has no other phone to send to, in whichever environment it is asked for.
  if (isTest || phone === SANDBOX_RIDER.phone)
    return ctx.transact('every tenant', async (tx) => sentOtp(tx.now, ctx.config))
  ctx.messenger.assertConfigured()
  const { issued, rider } = await ctx.transact('every tenant', async (tx) => {
    const rider = await findRiderByPhone(tx, phone)
    const place = await loginPlace(tx, ctx.config, { phone, riderId: rider?.id, ip: caller.ip })
    const { subjectId } = place
    return {
      issued: await issueOtp(tx, ctx.config, { purpose: 'rider_login', subjectId, phone, merchantId: null, place }),
      rider,
    }
  })
  ctx.messenger.afterwards(
    rider !== null
      ? sendOtp(ctx, issued, { channel: 'rider_phone', riderId: rider.id, text: loginSms })
      : ctx.transact('every tenant', (tx) => logOtpSend(tx, skipped)),
  )
  return issued.sent
}
