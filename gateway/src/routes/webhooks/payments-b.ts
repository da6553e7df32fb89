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
    path: '/webhooks/payments-b/{merchantId}',
    operationId: 'paymentsBReceiveHook',
    tag: 'Hooks of providers',
    summary: "For the second payment provider: events of a merchant's own account",
    description:
      "Verified by the merchant's secret, stored, and a payment that has arrived is made into an order under its reference. " +
      'By the plain secret in verif-hash nothing binds the body: the payment of such an order is not verified.',
    auth: signed(),
    params: { merchantId: uuid.toLowerCase() },
    input: 'raw',
    headers: {
      'payments-b-signature': header(
        "Base64 HMAC-SHA256 of the raw body, keyed with the merchant's secret; where it is sent it alone decides",
      ),
      'verif-hash': header("The merchant's secret itself"),
    },
    replies: { 200: receivedHook },
    errors: [],
    async handle({ params, raw }, services) {
      return reply(200, await receivedBy('payments-b', params.merchantId, required(raw), services))
    },
  }),
]
