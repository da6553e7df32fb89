import { required } from '@svc/public-bodies'
import { channel, channelChange, channelChangeOf, channelName } from '../../bodies/ingestion.ts'
import { inPerson, merchant, reply, route } from '../../http/route.ts'

const tag = 'Inbound hooks'
const reading = merchant('orders:read', 'orders:write')
const params = { channel: channelName }

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/ingestion/{channel}',
    operationId: 'getChannelSettings',
    tag,
    summary: "Read how the merchant's own account at a third party is connected",
    description: 'Of live money: test credentials are refused.',
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
    description: 'Of live money: test credentials are refused.',
    auth: inPerson(merchant('keys:manage')),
    params,
    body: channelChange,
    replies: { 200: channel },
    errors: ['not_found'],
    async handle({ params, body }, services) {
      const put = await services.channel.putChannelSettings(channelChangeOf(params.channel, body))
      return reply(200, required(put.channel_settings))
    },
  }),
]
