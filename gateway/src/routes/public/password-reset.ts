import { email, text } from '@svc/inputs'
import { ok } from '@svc/public-bodies'
import * as z from 'zod'
import { mailedToken, newPassword } from '../../bodies/credential.ts'
import { ACCOUNT_TOKEN, PASSWORD_RESET, PASSWORD_RESET_EMAIL } from '../../http/limits.ts'
import { publicly, reply, route } from '../../http/route.ts'

const tag = 'Authentication'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/public/password-reset/request',
    operationId: 'requestPasswordReset',
    tag,
    summary: 'Ask for a mail with a link by which a password is chosen anew',
    description: 'The answer is the same whether or not the address has an account. A new link ends those before it.',
    auth: { ...publicly(...PASSWORD_RESET), bodyLimits: PASSWORD_RESET_EMAIL },
    body: z.object({ email, website: text(2048, 0).optional().meta({ description: 'Leave empty' }) }),
    replies: { 202: ok },
    errors: [],
    async handle({ body }, services) {
      if (!body.website) await services.account.requestPasswordReset({ email: body.email })
      return reply(202, { ok: true })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/public/password-reset/confirm',
    operationId: 'confirmPasswordReset',
    tag,
    summary: 'Choose another password by the token of a mail',
    description:
      'The token is good for an hour, once. Every log-in of the user ends, API keys live on, and the address counts as confirmed.',
    auth: publicly(...ACCOUNT_TOKEN),
    body: z.object({ token: mailedToken, password: newPassword }),
    replies: { 200: ok },
    errors: ['invalid_token', 'token_expired'],
    async handle({ body }, services) {
      await services.account.confirmPasswordReset(body)
      return reply(200, { ok: true })
    },
  }),
]
