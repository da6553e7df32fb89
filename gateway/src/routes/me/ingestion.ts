import { ServiceError } from '@svc/errors'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { channel, channelChange, channelChangeOf, channelName } from '../../bodies/ingestion.ts'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Inbound hooks'
const reading = merchant('orders:read', 'orders:write')
const params = { channel: channelName }

export const myIngestion = [
  route({
    method: 'GET',
    path: '/v1/me/ingestion/{channel}',
    operationId: 'getChannelSettings',
    tag,
    summary: "Read how the merchant's own account at a third party is connected",
    auth: reading,
    params,
    replies: { 200: channel },
    errors: ['not_found'],
    async handle({ params }, services) {
      const found = await services.channel.getChannelSettings({ channel: params.channel })
      return reply(200, required(found.channel_settings))
    },
  }),
  route({
    method: 'PUT',
    path: '/v1/me/ingestion/{channel}',
    operationId: 'putChannelSettings',
    tag,
    summary: "Connect the merchant's own account at a third party",
    auth: merchant('keys:manage'),
    params,
    body: channelChange,
    replies: { 200: channel },
    errors: ['not_found'],
    async handle({ params, body }, services) {
      const put = await services.channel.putChannelSettings(channelChangeOf(params.channel, body))
      return reply(200, required(put.channel_settings))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/me/integrations/payments-a',
    operationId: 'legacyGetChannelSettings',
    tag,
    summary: 'Read whether the merchant has a secret of its own at the payment provider',
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
    description: 'PUT /v1/me/ingestion/payments-a takes its place.',
    auth: merchant('orders:write'),
    replies: {},
    errors: ['feature_disabled'],
    async handle() {
      throw new ServiceError('feature_disabled')
    },
  }),
]
