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
    description:
      'To help a merchant with its set-up: whether a secret is set, but never which. Where nothing was ever set `updated_at` is null. 404 for an unknown merchant.',
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
    description:
      'Changes what is sent and leaves the rest; null clears a field. Hooks signed with a replaced secret are taken for 24 hours more, with a cleared one no longer. 404 for an unknown merchant.',
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
