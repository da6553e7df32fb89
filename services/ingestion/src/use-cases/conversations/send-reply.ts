import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import { type Intent, openIntent } from '@svc/intents'
import { type Sms, SmsRefusedError } from '@svc/sms'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { type Line, messagesOfLine, messagesOfSigner } from '../../db/conversations.ts'

/** The kind of the intents by which customers are answered. */
export const REPLY_INTENT = 'conversation_reply'

/** What one sender is answered within an hour: more is no conversation. */
const PER_HOUR = 40

interface Reply {
  line: Line
  text: string
  /** By the messaging app, where the message came by it. */
  isOfApp: boolean
}

/**
 * Records that a customer is answered once the transaction has committed. Nobody is where the operator has no provider, in a
 * country to which nothing is sent, or beyond what one sender, or a merchant that signs by itself, is answered in an hour.
 */
export async function openReply(ctx: Context, tx: Tx, { line, text, isOfApp }: Reply): Promise<void> {
  const { messagingRepliesPerHour, smsCountries } = ctx.config
  if (!ctx.sms || !smsCountries.some((code) => line.sender.startsWith(code))) return
  if ((await messagesOfLine(tx, line, PER_HOUR)) > PER_HOUR) return
  const isOfMerchant = line.signer !== 'platform'
  if (isOfMerchant && (await messagesOfSigner(tx, line.signer, messagingRepliesPerHour)) > messagingRepliesPerHour)
    return
  const payload: Sms = { to: `+${line.sender}`, text, route: isOfApp ? 'whatsapp' : 'dnd' }
  await openIntent(tx, { kind: REPLY_INTENT, subjectId: randomUUID(), merchantId: null, payload })
  tx.afterCommit(() => ctx.intents.wake())
}

/** Sends an answer; what the provider refuses for good is declined. */
export async function sendReply({ sms }: Pick<Context, 'sms'>, { payload }: Pick<Intent, 'payload'>): Promise<object> {
  if (!sms) throw new ServiceError('outbound_sms_not_configured')
  await sms.sendSms(payload as Sms).catch((error: unknown) => {
    throw error instanceof SmsRefusedError ? new ServiceError('validation_error', { cause: error }) : error
  })
  return { provider: sms.provider }
}
