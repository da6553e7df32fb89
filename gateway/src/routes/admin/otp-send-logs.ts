import { matching, paging, uuid } from '@svc/inputs'
import { page } from '@svc/public-bodies'
import * as z from 'zod'
import { OTP_CHANNELS, otpSendLog } from '../../bodies/rider.ts'
import { admin, reply, route } from '../../http/route.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/otp-send-logs',
    operationId: 'listOtpSendLogs',
    tag: 'Riders of all merchants',
    summary: 'List codes that were sent, newest first',
    description:
      'To find out why a code did not arrive: `status` is `sent`, `failed`, or `skipped` where no rider has the number. Neither the code nor the whole number is told.',
    auth: admin('admin.otp_logs.read'),
    query: {
      ...paging(),
      phone: matching(/^\d{4,15}$/, 'must be 4 to 15 digits')
        .optional()
        .meta({ description: 'Digits that the phone contains' }),
      order_id: uuid.optional(),
      channel: z.enum(OTP_CHANNELS).optional(),
    },
    replies: { 200: page('items', otpSendLog) },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.rider.listOtpSendLogs(query))
    },
  }),
]
