import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { receivedHook } from '../../bodies/ingestion.ts'
import { receivedBy } from '../../http/received-by.ts'
import { reply, route, signed } from '../../http/route.ts'

const header = (description: string) => z.string().optional().meta({ description })

export const routes = [
  route({
    method: 'POST',
    path: '/webhooks/storefront-a',
    operationId: 'storefrontAReceiveHook',
    tag: 'Hooks of providers',
    summary: "For the first storefront: events of a merchant's shop",
    description:
      'Verified over the exact bytes by the secret that the merchant of the shop has set, stored, and then made into an order, a ' +
      'payment mark or a cancellation. What the body says counts; the topic, which is not signed, does not.',
    auth: signed({ byShop: true }),
    input: 'raw',
    headers: {
      'x-storefront-a-hmac-sha256': header('Base64 HMAC-SHA256 of the raw body, keyed with the secret of the shop'),
      'x-storefront-a-shop-domain': header('Whose shop it is'),
      'x-storefront-a-topic': header('For example orders/create'),
    },
    replies: { 200: receivedHook },
    errors: [],
    async handle({ raw }, services) {
      return reply(200, await receivedBy('storefront-a', undefined, required(raw), services))
    },
  }),
]
