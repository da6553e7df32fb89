import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { receivedHook } from '../../bodies/ingestion.ts'
import { receivedBy } from '../../http/received-by.ts'
import { reply, route, signed } from '../../http/route.ts'

const header = (description: string) => z.string().optional().meta({ description })

export const routes = [
  route({
    method: 'POST',
    path: '/webhooks/email-a/inbound',
    operationId: 'emailAReceiveHook',
    tag: 'Hooks of providers',
    summary: 'For the e-mail provider: mail that came to a merchant',
    description:
      'Verified over id, time and the exact bytes, at a time within five minutes of ours. The merchant is that of the address ' +
      'store-<merchant_id>; mail to nobody here, or with neither a keyword in its subject nor a PDF or image, is ignored.',
    auth: signed(),
    input: 'raw',
    headers: {
      'svix-id': header('Of the notice'),
      'svix-timestamp': header('Seconds since 1970'),
      'svix-signature': header('v1, and base64 HMAC-SHA256 of id, time and body, joined by dots; several by spaces'),
    },
    replies: { 200: receivedHook },
    errors: [],
    async handle({ raw }, services) {
      return reply(200, await receivedBy('email-a', undefined, required(raw), services))
    },
  }),
]
