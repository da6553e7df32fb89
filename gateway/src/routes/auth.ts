import { text, uuid } from '@svc/inputs'
import { ok, orNull, required } from '@svc/public-bodies'
import * as z from 'zod'
import { newPassword, tokenPair, tokenPairOf } from '../bodies/credential.ts'
import { account, accountOf } from '../bodies/merchant.ts'
import { refreshedRiderOf, riderTokens } from '../bodies/rider.ts'
import { PASSWORD_CHANGE, REFRESH } from '../http/limits.ts'
import { andKeysManage, apiKey, inPerson, login, merchant, publicly, reply, route, session } from '../http/route.ts'
import { unauthorized } from '../http/unauthorized.ts'

const tag = 'Authentication'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/auth/token',
    operationId: 'exchangeApiKey',
    tag,
    summary: 'Exchange an API key for tokens',
    description:
      'With `grantor_merchant_id` the tokens act for that merchant, by its active grant, with the scopes that key and grant ' +
      'have in common. They end with the grant.',
    auth: inPerson(apiKey()),
    body: z.object({ grantor_merchant_id: uuid.optional().meta({ description: 'Acts for this merchant' }) }),
    replies: { 200: tokenPair },
    errors: ['kyb_required'],
    async handle({ body }, services) {
      const { tokens } = await services.credential.exchangeApiKey(body)
      return reply(200, tokenPairOf(required(tokens)))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/auth/refresh',
    operationId: 'refreshToken',
    tag,
    summary: 'Exchange a refresh token for new tokens',
    description: 'A refresh token works once. Its second use ends the session, save within 10 seconds of the first.',
    auth: publicly(...REFRESH),
    body: z.object({ refresh_token: text(4096) }),
    replies: { 200: z.union([tokenPair, riderTokens]) },
    errors: ['unauthorized', 'kyb_required'],
    async handle({ body }, services) {
      const { tokens } = await services.credential.refreshToken({ refresh_token: body.refresh_token })
      const pair = required(tokens)
      return reply(200, pair.rider_id ? refreshedRiderOf(pair, pair.rider_id) : tokenPairOf(pair))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/auth/logout',
    operationId: 'logOut',
    tag,
    summary: 'End the session of a token',
    description:
      'The access token with which it is called, or the refresh token in the body. A repeat changes nothing.',
    auth: session(...REFRESH),
    headers: { authorization: z.string().optional() },
    body: z.object({ refresh_token: text(4096).optional() }),
    replies: { 200: ok },
    errors: ['unauthorized'],
    async handle({ headers, body, caller }, services) {
      if (body.refresh_token === undefined && caller.kind === 'public') {
        throw unauthorized(headers.authorization === undefined ? 'missing' : 'invalid')
      }
      await services.credential.logOut({ refresh_token: body.refresh_token })
      return reply(200, { ok: true })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/auth/change-password',
    operationId: 'changePassword',
    tag,
    summary: 'Choose another password',
    description:
      "The caller's own, with the token of a log-in: a key, and a token exchanged from one, is 403. Every log-in of that user " +
      "ends, the caller's too; API keys live on. Five attempts an hour, those that succeed included.",
    auth: andKeysManage(inPerson(login(PASSWORD_CHANGE)), 'keysManageForPasswordChange'),
    body: z.object({ current_password: text(1024), new_password: newPassword }),
    replies: { 200: ok },
    errors: [],
    async handle({ body }, services) {
      await services.account.changePassword(body)
      return reply(200, { ok: true })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/auth/me',
    operationId: 'getAccount',
    tag,
    summary: "Read the caller's own account",
    description: 'The business for which the credential speaks, with its settings and how far it is verified.',
    auth: merchant(),
    replies: {
      200: z.object({ merchant: account, account_email: orNull(z.string()), email_verified: z.boolean() }),
    },
    errors: [],
    async handle(_input, services) {
      const [mine, endpoint] = await Promise.all([
        services.merchant.getAccount({}),
        services.outboundWebhook.getOutboundWebhook({}),
      ])
      return reply(200, {
        ...mine,
        merchant: accountOf(required(mine.merchant), required(endpoint.webhook)),
      })
    },
  }),
]
