import type { ListOtpSendLogsRequest } from '@svc/contracts/dispatch/v1/rider_service'
import { validationError } from '@svc/errors'
import { pageOf, uuidField } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { type Listed, listed } from '../../db/listed.ts'
import type { SendLogEntry } from '../../db/otps.ts'
import { oneOf } from '../../domain/rider-input.ts'

export type OtpSendLog = SendLogEntry & { id: string; createdAt: Date }

const CHANNELS = ['rider_phone', 'delivery_on_order_create', 'pod_rider_request'] as const

/** What became of every message, newest first. */
export function listOtpSendLogs(ctx: Context, request: ListOtpSendLogsRequest): Promise<Listed<OtpSendLog>> {
  const { phone, order_id, channel } = request
  return listed<OtpSendLog>(ctx.database.worker, {
    columns: 'l.id, l.channel, l.phone, l.order_id AS "orderId", l.provider, l.status, l.created_at AS "createdAt"',
    from: 'otp_send_log l',
    where: {
      "position(? in replace(l.phone, '+', '')) > 0": phone === undefined ? undefined : digitsOf(phone),
      'l.order_id = ?::uuid': order_id === undefined ? undefined : uuidField('order_id', order_id),
      'l.channel = ?': channel === undefined ? undefined : oneOf('channel', CHANNELS, channel),
    },
    orderBy: 'l.created_at DESC, l.id DESC',
    page: pageOf(request),
  })
}

/** A local number is kept as E.164, without its leading zero. */
function digitsOf(text: string): string {
  const digits = text.replace(/\D/g, '')
  if (digits.length >= 4) return digits.replace(/^0(?=\d{10}$)/, '')
  throw validationError([{ field: 'phone', rule: 'length', limit: 4, message: 'phone must have at least 4 digits.' }])
}
