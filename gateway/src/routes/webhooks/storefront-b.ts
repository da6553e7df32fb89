import { uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { receivedHook } from '../../bodies/ingestion.ts'
import { receivedBy } from '../../http/received-by.ts'
import { reply, route, signed } from '../../http/route.ts'

const header = (description: string) => z.string().optional().meta({ description })

export const routes = [
  route({
    method: 'POST',
    path: '/webhooks/storefront-b/{merchantId}',
    operationId: 'storefrontBReceiveHook',
    tag: 'Hooks of providers',
    summary: "For the second storefront: events of a merchant's shop",
    description:
      "Verified over the exact bytes by the merchant's secret, stored, and then made into an order, a payment mark or a " +
      'cancellation. The unsigned post of a form with webhook_id alone, by which the storefront tries the address, is ignored.',
    auth: signed(),
    params: { merchantId: uuid.toLowerCase() },
    input: 'raw',
    headers: {
      'x-storefront-b-signature': header("Base64 HMAC-SHA256 of the raw body, keyed with the merchant's secret"),
      'x-storefront-b-topic': header('For example order.created'),
    },
    replies: { 200: receivedHook },
    errors: [],
    async handle({ params, raw }, services) {
      return reply(200, await receivedBy('storefront-b', params.merchantId, required(raw), services))
    },
  }),
]
