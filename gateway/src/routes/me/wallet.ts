import { paging } from '@svc/inputs'
import * as z from 'zod'
import { askedMinor } from '../../bodies/pieces.ts'
import { callbackUrl, checkout, statement, statementOf } from '../../bodies/wallet.ts'
import { PROVIDER_DEADLINE_MS } from '../../http/provider-deadline.ts'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Wallet'
const reading = merchant('orders:read', 'orders:write')

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/wallet',
    operationId: 'getWallet',
    tag,
    summary: 'Read the wallet and its entries, newest first',
    description: 'Test keys read the sandbox wallet, live keys and logins the live one.',
    auth: reading,
    query: paging(),
    replies: { 200: statement },
    errors: [],
    async handle({ query }, services) {
      return reply(200, statementOf(await services.wallet.getWallet(query)))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/wallet/payments-a-topup-intent',
    operationId: 'createTopupIntent',
    tag,
    summary: 'Start a checkout that tops the live wallet up',
    description:
      'The wallet is credited once the provider confirms the payment. A repeat with the same key, amount and callback answers the same checkout. Not with test keys.',
    auth: merchant('orders:write'),
    deadlineMs: PROVIDER_DEADLINE_MS,
    idempotent: true,
    body: z.object({ amount_minor: askedMinor, callback_url: callbackUrl }),
    replies: { 201: z.object({ ...checkout, idempotent_replay: z.boolean() }) },
    errors: ['idempotency_conflict', 'idempotency_in_progress', 'payments_not_configured'],
    async handle({ body, idempotency }, services) {
      const intent = await services.topup.createTopupIntent({ ...body, idempotency })
      const replayed = intent.idempotent_replay ? { 'Idempotent-Replayed': 'true' } : undefined
      return reply(201, intent, replayed)
    },
  }),
]
