import { ServiceError } from '@svc/errors'
import { SmsRefusedError } from '@svc/sms'
import type { Context } from '../context.ts'
import { endCooldown, type IssuedOtp, logOtpSend, type SendLogEntry } from '../db/otps.ts'
import { OTP_TTL_SECONDS } from '../domain/otp.ts'

type Occasion = Pick<SendLogEntry, 'channel' | 'orderId' | 'riderId'>

const VALID = `It is valid for ${OTP_TTL_SECONDS / 60} minutes.`
const forCustomer = (code: string) =>
  `Your delivery code is ${code}. Tell it to the rider who brings your order. ${VALID}`

const TEXTS: Readonly<Record<Occasion['channel'], (code: string) => string>> = {
  rider_phone: (code) => `Your code is ${code}. Tell it to nobody. ${VALID}`,
  delivery_on_order_create: forCustomer,
  pod_rider_request: forCustomer,
}

/**
 * Sends a committed code; call it after the transaction that issued it. Where the provider does not take the message
 * another code may be asked for at once, and this throws service_unavailable.
 */
export async function sendOtp(ctx: Context, { id, phone, code }: IssuedOtp, occasion: Occasion): Promise<void> {
  const text = TEXTS[occasion.channel](code)
  const failure = await ctx.messenger.send({ to: phone, text }).then(
    () => null,
    (error: unknown) => error,
  )
  await ctx.transact('every tenant', async (tx) => {
    const status = failure === null ? 'sent' : 'failed'
    await logOtpSend(tx, { ...occasion, phone, provider: ctx.messenger.provider, status })
    if (failure !== null) await endCooldown(tx, id)
  })
  if (failure === null) return
  if (failure instanceof SmsRefusedError) ctx.logger.error({ err: failure }, 'the provider refuses a code')
  throw failure instanceof ServiceError ? failure : new ServiceError('service_unavailable', { cause: failure })
}
