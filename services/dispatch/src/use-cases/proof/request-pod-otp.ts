import type { Caller } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { logOtpSend } from '../../db/otps.ts'
import { issueOtp, type SentOtp, sentNow } from '../otp/issue-otp.ts'
import { sendOtp } from '../otp/send-otp.ts'
import { carriedOrder, customerPhone } from './carried-order.ts'

/** Sends the code of a hand-over to the customer. For a test order nothing is sent: its code is fixed. */
export async function requestPodOtp(ctx: Context, caller: Caller, orderId: string): Promise<SentOtp> {
  const order = await carriedOrder(ctx, caller, orderId)
  const phone = customerPhone(order)
  const occasion = { channel: 'pod_rider_request', orderId: order.id, riderId: caller.actor.id } as const
  if (order.is_test) {
    return ctx.transact('every tenant', async (tx) => {
      await logOtpSend(tx, { ...occasion, phone, provider: ctx.messenger.provider, status: 'skipped' })
      return sentNow(tx, ctx.config)
    })
  }
  ctx.messenger.assertConfigured()
  const issued = await ctx.transact('every tenant', (tx) =>
    issueOtp(tx, ctx.config, { purpose: 'pod', subjectId: order.id, phone }),
  )
  await sendOtp(ctx, issued, occasion)
  return issued.sent
}
