import { paging, uuid } from '@svc/inputs'
import * as z from 'zod'
import { admin, reply, viewedRoute } from '../../http/route.ts'
import { page } from '../../schemas/pieces.ts'
import { OTP_CHANNELS, otpSendLog } from '../../schemas/rider.ts'
import { otpSendLogView } from '../../views/rider.ts'

export const adminOtpSendLogs = [
  viewedRoute({
    method: 'GET',
    path: '/v1/admin/otp-send-logs',
    operationId: 'listOtpSendLogs',
    tag: 'Riders of all merchants',
    summary: 'List codes that were sent, newest first',
    auth: admin('admin.otp_logs.read'),
    query: {
      ...paging(),
      phone: z
        .string()
        .regex(/^\d{4,15}$/, 'must be 4 to 15 digits')
        .optional()
        .meta({ description: 'Digits that the phone contains' }),
      order_id: uuid.optional(),
      channel: z.enum(OTP_CHANNELS).optional(),
    },
    replies: { 200: page('items', otpSendLog) },
    errors: [],
    async handle({ query }, services) {
      const { items, total, limit, offset } = await services.rider.listOtpSendLogs(query)
      return reply(200, { items: items.map(otpSendLogView), total, limit, offset })
    },
  }),
]
