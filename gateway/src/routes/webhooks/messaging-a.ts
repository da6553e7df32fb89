import { uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { receivedHook } from '../../bodies/ingestion.ts'
import { receivedBy } from '../../http/received-by.ts'
import { reply, route, signed } from '../../http/route.ts'

const tag = 'Hooks of providers'
const headers = {
  'x-messaging-a-signature': z
    .string()
    .optional()
    .meta({ description: 'HMAC-SHA512 of the raw body, in hex or base64, keyed with the secret key' }),
}

export const routes = [
  route({
    method: 'POST',
    path: '/webhooks/messaging-a/global',
    operationId: 'messagingAReceiveHook',
    tag,
    summary: "For the messaging provider: messages to the platform's number",
    description:
      'A message that holds Order_from_ and the slug of a shop begins an order with that shop; those of the next two hours go ' +
      'on with it. Whoever names no shop is told how to, where the operator wants that.',
    auth: signed(),
    input: 'raw',
    headers,
    replies: { 200: receivedHook },
    errors: [],
    async handle({ raw }, services) {
      return reply(200, await receivedBy('messaging-a', undefined, required(raw), services))
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/messaging-a/{merchantId}',
    operationId: 'merchantMessagingAReceiveHook',
    tag,
    summary: "For the messaging provider: messages to a merchant's number",
    description:
      "Signed with the merchant's secret or the platform's. Where the merchant has set receiver_phone, messages to another " +
      'number are ignored.',
    auth: signed(),
    params: { merchantId: uuid.toLowerCase() },
    input: 'raw',
    headers,
    replies: { 200: receivedHook },
    errors: [],
    async handle({ params, raw }, services) {
      return reply(200, await receivedBy('messaging-a', params.merchantId, required(raw), services))
    },
  }),
]
