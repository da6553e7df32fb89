import { createHash } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import { type Intent, openIntent } from '@svc/intents'
import { SmsRefusedError } from '@svc/sms'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { countNotice, uncountNotice } from '../../db/code-limits.ts'
import { isSandbox, type Rider } from '../../domain/rider.ts'
import { joinedSms, payoutChangedSms, phoneMovedSms, type RiderNotice } from '../../messages/sms.ts'
import { merchantOf } from '../remember-merchant.ts'

/** The kind of the intents that tell riders what has happened to their accounts. */
export const NOTICE_INTENT = 'rider_notice'

type Notice = RiderNotice & { to: string }

/**
 * Records that the rider's phone is told, once the transaction has committed. What it has yet to be told already is not told
 * twice, so that few wait for one phone. The shared rider of the sandbox has none.
 */
export async function openNotice(tx: Tx, { id, phone, merchantId }: Rider, notice: RiderNotice): Promise<void> {
  if (isSandbox(id)) return
  const payload: Notice = { ...notice, to: phone }
  await openIntent(tx, { kind: NOTICE_INTENT, subjectId: subjectOf(payload), merchantId, payload })
}

/** As a UUID: the same words to the same phone. */
const subjectOf = (notice: Notice): string =>
  createHash('sha256').update(JSON.stringify(notice)).digest('hex').slice(0, 32)

/**
 * Sends the message. It waits for the provider, and for room where its number or its merchant has had what they may get; what
 * the provider refuses for good is declined.
 */
export async function sendRiderNotice(
  ctx: Pick<Context, 'config' | 'database' | 'transact' | 'merchants' | 'messenger'>,
  { payload }: Pick<Intent, 'payload'>,
): Promise<object> {
  const notice = payload as Notice
  const text = await textOf(ctx, notice)
  const message = { phone: notice.to, merchantId: notice.about === 'joined_fleet' ? notice.merchantId : null }
  const countedAt = await ctx
    .transact('every tenant', (tx) => countNotice(tx, ctx.config, message))
    .catch((error: unknown) => {
      const isFull = error instanceof ServiceError && error.code === 'rate_limited'
      throw isFull ? new ServiceError('service_unavailable', { cause: error }) : error
    })
  await ctx.messenger.send({ to: notice.to, text }).catch(async (error: unknown) => {
    await ctx.transact('every tenant', (tx) => uncountNotice(tx, message, countedAt))
    throw error instanceof SmsRefusedError ? new ServiceError('validation_error', { cause: error }) : error
  })
  return {}
}

async function textOf(ctx: Pick<Context, 'database' | 'transact' | 'merchants'>, notice: Notice): Promise<string> {
  switch (notice.about) {
    case 'joined_fleet':
      return joinedSms((await merchantOf(ctx, notice.merchantId)).name)
    case 'phone_moved':
      return phoneMovedSms(notice.last4)
    case 'payout_changed':
      return payoutChangedSms(notice.last4)
  }
}
