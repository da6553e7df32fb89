import { ServiceError } from '@svc/errors'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Inbound hooks'
const deprecated = {
  since: '2026-11-23',
  sunset: '2027-06-30',
  instead: 'GET and PUT /v1/me/ingestion/payments-a take its place.',
}
const reading = merchant('orders:read', 'orders:write')

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/integrations/payments-a',
    operationId: 'legacyGetChannelSettings',
    tag,
    summary: 'Read whether the merchant has a secret of its own at the payment provider',
    deprecated,
    auth: reading,
    replies: { 200: z.object({ payments_a_secret_configured: z.boolean() }) },
    errors: [],
    async handle(_input, services) {
      const found = await services.channel.getChannelSettings({ channel: 'payments-a' })
      return reply(200, { payments_a_secret_configured: required(found.channel_settings).secret_configured })
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/me/integrations/payments-a',
    operationId: 'legacyPutChannelSettings',
    tag,
    summary: 'Switched off for good',
    deprecated,
    auth: merchant('orders:write'),
    replies: {},
    errors: ['feature_disabled'],
    async handle() {
      throw new ServiceError('feature_disabled')
    },
  }),
]
