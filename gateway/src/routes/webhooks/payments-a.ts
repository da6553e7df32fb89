import { uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { receivedHook } from '../../bodies/ingestion.ts'
import { receivedBy } from '../../http/received-by.ts'
import { reply, route, signed } from '../../http/route.ts'

const tag = 'Hooks of providers'
const headers = {
  'x-payments-a-signature': z
    .string()
    .optional()
    .meta({ description: 'Lowercase hex HMAC-SHA512 of the raw body, keyed with the secret key' }),
}

export const routes = [
  route({
    method: 'POST',
    path: '/webhooks/payments-a/platform',
    operationId: 'receiveHook',
    tag,
    summary: "For the payment provider: events of the platform's account",
    description:
      'Verified over the exact bytes, then stored; an event that was stored before is a duplicate. From an address of which ' +
      'too many signatures were refused, what is refused or longer than 64 KiB is 429; a right signature is taken.',
    auth: signed(),
    input: 'raw',
    headers,
    replies: { 200: receivedHook },
    errors: [],
    async handle({ raw }, services) {
      return reply(200, await receivedBy('payments-a', undefined, required(raw), services))
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/payments-a/{merchantId}',
    operationId: 'legacyReceiveHook',
    tag,
    summary: "For the payment provider: events of a merchant's own account",
    description: "Signed with the merchant's secret or the platform's. An unknown merchant is a wrong signature.",
    auth: signed(),
    // However it is spelt, it is one merchant.
    params: { merchantId: uuid.toLowerCase() },
    input: 'raw',
    headers,
    replies: { 200: receivedHook },
    errors: [],
    async handle({ params, raw }, services) {
      return reply(200, await receivedBy('payments-a', params.merchantId, required(raw), services))
    },
  }),
]
