import { uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { receivedHook } from '../bodies/ingestion.ts'
import { receivedBy } from '../http/received-by.ts'
import { type Route, route, signed } from '../http/route.ts'

/** Where the hooks of a third party come in. */
interface Door {
  /** What ingestion calls the third party. */
  channel: string
  path: `/webhooks/${string}`
  operationId: `${string}eceiveHook`
  summary: string
  description: string
  /** Those that it signs by, with what they hold. */
  headers: Readonly<Record<string, string>>
  /** A header that ends in -shop-domain says whose hook it is. */
  byShop?: true
}

const DOORS: readonly Door[] = [
  {
    channel: 'email-a',
    path: '/webhooks/email-a/inbound',
    operationId: 'emailAReceiveHook',
    summary: 'For the e-mail provider: mail that came to a merchant',
    description:
      'Verified over id, time and the exact bytes, at a time within five minutes of ours. It is kept for each merchant whose ' +
      'address store-<merchant_id> it names, ten at most; mail to nobody here, or with neither a keyword in its subject nor a ' +
      'PDF or image, is ignored.',
    headers: {
      'svix-id': 'Of the notice',
      'svix-timestamp': 'Seconds since 1970',
      'svix-signature': 'v1, and base64 HMAC-SHA256 of id, time and body, joined by dots; several by spaces',
    },
  },
  {
    channel: 'messaging-a',
    path: '/webhooks/messaging-a/global',
    operationId: 'messagingAReceiveHook',
    summary: "For the messaging provider: messages to the platform's number",
    description:
      'A message that holds Order_from_ and the slug of a shop begins an order with that shop; those of the next two hours go ' +
      'on with it. Whoever names no shop is told how to, where the operator wants that.',
    headers: { 'x-messaging-a-signature': 'HMAC-SHA512 of the raw body, in hex or base64, keyed with the secret key' },
  },
  {
    channel: 'messaging-a',
    path: '/webhooks/messaging-a/{merchantId}',
    operationId: 'merchantMessagingAReceiveHook',
    summary: "For the messaging provider: messages to a merchant's number",
    description:
      "Signed with the merchant's secret or the platform's. Where the merchant has set receiver_phone, messages to another " +
      'number are ignored.',
    headers: { 'x-messaging-a-signature': 'HMAC-SHA512 of the raw body, in hex or base64, keyed with the secret key' },
  },
  {
    channel: 'payments-a',
    path: '/webhooks/payments-a/platform',
    operationId: 'receiveHook',
    summary: "For the payment provider: events of the platform's account",
    description:
      'Verified over the exact bytes, then stored; an event that was stored before is a duplicate. From an address of which ' +
      'too many signatures were refused, what is refused or longer than 64 KiB is 429; a right signature is taken.',
    headers: { 'x-payments-a-signature': 'Lowercase hex HMAC-SHA512 of the raw body, keyed with the secret key' },
  },
  {
    channel: 'payments-a',
    path: '/webhooks/payments-a/{merchantId}',
    operationId: 'legacyReceiveHook',
    summary: "For the payment provider: events of a merchant's own account",
    description: "Signed with the merchant's secret or the platform's. An unknown merchant is a wrong signature.",
    headers: { 'x-payments-a-signature': 'Lowercase hex HMAC-SHA512 of the raw body, keyed with the secret key' },
  },
  {
    channel: 'payments-b',
    path: '/webhooks/payments-b/{merchantId}',
    operationId: 'paymentsBReceiveHook',
    summary: "For the second payment provider: events of a merchant's own account",
    description:
      "Verified by the merchant's secret, stored, and a payment that has arrived is made into an order under its reference. " +
      'By the plain secret in verif-hash nothing binds the body: the payment of such an order is not verified.',
    headers: {
      'payments-b-signature':
        "Base64 HMAC-SHA256 of the raw body, keyed with the merchant's secret; where it is sent it alone decides",
      'verif-hash': "The merchant's secret itself",
    },
  },
  {
    channel: 'storefront-a',
    path: '/webhooks/storefront-a',
    operationId: 'storefrontAReceiveHook',
    summary: "For the first storefront: events of a merchant's shop",
    description:
      'Verified over the exact bytes by the secret that the merchant of the shop has set, stored, and then made into an order, a ' +
      'payment mark or a cancellation. What the body says counts; the topic, which is not signed, does not.',
    headers: {
      'x-storefront-a-hmac-sha256': 'Base64 HMAC-SHA256 of the raw body, keyed with the secret of the shop',
      'x-storefront-a-shop-domain': 'Whose shop it is',
      'x-storefront-a-topic': 'For example orders/create',
    },
    byShop: true,
  },
  {
    channel: 'storefront-b',
    path: '/webhooks/storefront-b/{merchantId}',
    operationId: 'storefrontBReceiveHook',
    summary: "For the second storefront: events of a merchant's shop",
    description:
      "Verified over the exact bytes by the merchant's secret, stored, and then made into an order, a payment mark or a " +
      'cancellation. The unsigned post of a form with webhook_id alone, by which the storefront tries the address, is ignored.',
    headers: {
      'x-storefront-b-signature': "Base64 HMAC-SHA256 of the raw body, keyed with the merchant's secret",
      'x-storefront-b-topic': 'For example order.created',
    },
  },
]

/** However the id of a merchant is spelt, it is one merchant. */
const MERCHANT = { merchantId: uuid.toLowerCase() }

const behind = ({ channel, path, headers, byShop, ...told }: Door): Route =>
  route({
    method: 'POST',
    path,
    tag: 'Hooks of providers',
    ...told,
    auth: signed(byShop && { byShop }),
    params: path.includes('{merchantId}') ? MERCHANT : {},
    input: 'raw',
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [name, z.string().optional().meta({ description })]),
    ),
    replies: { 200: receivedHook },
    errors: [],
    handle: async ({ params, raw }, services) => ({
      status: 200 as const,
      body: await receivedBy(channel, (params as { merchantId?: string }).merchantId, required(raw), services),
    }),
  })

export const routes = DOORS.map(behind)
