import { type By, riderOf } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { issueOtp } from '../../db/otps.ts'
import { type SentOtp, sentOtp } from '../../domain/otp.ts'
import { deliverySms } from '../../messages/sms.ts'
import { carriedOrder, customerPhone } from '../../peers/carried-order.ts'
import { sendOtp } from '../../peers/send-otp.ts'

/** Sends the code of a hand-over to the customer. For a test order nothing is sent: its code is fixed. */
export async function requestPodOtp(ctx: Context, by: By, orderId: string): Promise<SentOtp> {
  const order = await carriedOrder(ctx, by, orderId)
  const phone = customerPhone(order)
  const occasion = { channel: 'pod_rider_request', orderId: order.id, riderId: riderOf(by) } as const
  if (order.is_test) return ctx.transact('every tenant', async (tx) => sentOtp(tx.now, ctx.config))
  ctx.messenger.assertConfigured()
  const issued = await ctx.transact('every tenant', (tx) =>
    issueOtp(tx, ctx.config, { purpose: 'pod', subjectId: order.id, phone, merchantId: order.merchant_id }),
  )
  await sendOtp(ctx, issued, { ...occasion, text: deliverySms })
  return issued.sent
}
