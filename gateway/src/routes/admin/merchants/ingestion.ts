import { uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import { channel, channelChange, channelChangeOf, channelName } from '../../../bodies/ingestion.ts'
import { admin, reply, route } from '../../../http/route.ts'

const tag = 'Inbound hooks of all merchants'
const params = { merchantId: uuid, channel: channelName }

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/ingestion/{channel}',
    operationId: 'adminGetChannelSettings',
    tag,
    summary: "Read how a merchant's own account at a third party is connected",
    auth: admin('admin.merchants.read'),
    params,
    replies: { 200: channel },
    errors: ['not_found'],
    async handle({ params: { merchantId, channel: name } }, services) {
      const found = await services.channel.getChannelSettings({ merchant_id: merchantId, channel: name })
      return reply(200, required(found.channel_settings))
    },
  }),
  route({
    method: 'PUT',
    path: '/v1/admin/merchants/{merchantId}/ingestion/{channel}',
    operationId: 'adminPutChannelSettings',
    tag,
    summary: "Connect a merchant's own account at a third party",
    auth: admin('admin.merchants.write'),
    params,
    body: channelChange,
    replies: { 200: channel },
    errors: ['not_found'],
    async handle({ params: { merchantId, channel: name }, body }, services) {
      const change = { ...channelChangeOf(name, body), merchant_id: merchantId }
      const put = await services.channel.putChannelSettings(change)
      return reply(200, required(put.channel_settings))
    },
  }),
]
