import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import { type Intent, openIntent } from '@svc/intents'
import { SmsRefusedError } from '@svc/sms'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { countMessage } from '../../db/code-limits.ts'
import { isSandbox, type Rider } from '../../domain/rider.ts'
import { joinedSms, payoutChangedSms, phoneMovedSms, type RiderNotice } from '../../messages/sms.ts'
import { merchantOf } from '../remember-merchant.ts'

/** The kind of the intents that tell riders what has happened to their accounts. */
export const NOTICE_INTENT = 'rider_notice'

type Notice = RiderNotice & { to: string }

/** Records that the rider's phone is told, once the transaction has committed. The shared rider of the sandbox has none. */
export async function openNotice(tx: Tx, { id, phone, merchantId }: Rider, notice: RiderNotice): Promise<void> {
  if (isSandbox(id)) return
  const payload: Notice = { ...notice, to: phone }
  await openIntent(tx, { kind: NOTICE_INTENT, subjectId: randomUUID(), merchantId, payload })
}

/** Sends the message, counted like a code; what the provider refuses for good, or is above a limit, is declined. */
export async function sendRiderNotice(
  ctx: Pick<Context, 'config' | 'database' | 'transact' | 'merchants' | 'messenger'>,
  { payload }: Pick<Intent, 'payload'>,
): Promise<object> {
  const notice = payload as Notice
  const text = await textOf(ctx, notice)
  const merchantId = notice.about === 'joined_fleet' ? notice.merchantId : null
  await ctx.transact('every tenant', (tx) => countMessage(tx, ctx.config, { phone: notice.to, merchantId }))
  await ctx.messenger.send({ to: notice.to, text }).catch((error: unknown) => {
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
