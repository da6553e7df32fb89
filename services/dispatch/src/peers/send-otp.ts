import { ServiceError } from '@svc/errors'
import { SmsRefusedError } from '@svc/sms'
import { metrics } from '@svc/telemetry'
import type { Context } from '../context.ts'
import { endCooldown, type IssuedOtp, logOtpSend, type SendLogEntry } from '../db/otps.ts'

type Occasion = Pick<SendLogEntry, 'channel' | 'orderId' | 'riderId'> & {
  /** Says what the code is for. */
  text: (code: string) => string
}

/**
 * Sends a committed code; call it after the transaction that issued it. Where the provider does not take the message
 * another code may be asked for at once, and this throws service_unavailable.
 */
export async function sendOtp(
  ctx: Context,
  { id, phone, code }: IssuedOtp,
  { text, ...occasion }: Occasion,
): Promise<void> {
  const failure = await ctx.messenger.send({ to: phone, text: text(code) }).then(
    () => null,
    (error: unknown) => error,
  )
  metrics
    .counter('sms_codes_total', 'Codes handed to the provider of messages, by channel and what became of them')
    .add(1, { channel: occasion.channel, status: failure === null ? 'sent' : 'failed' })
  await ctx.transact('every tenant', async (tx) => {
    const status = failure === null ? 'sent' : 'failed'
    await logOtpSend(tx, { ...occasion, phone, provider: ctx.messenger.provider, status })
    if (failure !== null) await endCooldown(tx, id)
  })
  if (failure === null) return
  if (failure instanceof SmsRefusedError) ctx.logger.error({ err: failure }, 'the provider refuses a code')
  throw failure instanceof ServiceError ? failure : new ServiceError('service_unavailable', { cause: failure })
}
