import { email } from '@svc/inputs'
import { ok } from '@svc/public-bodies'
import * as z from 'zod'
import { mailedToken } from '../../bodies/credential.ts'
import { ACCOUNT_TOKEN, EMAIL_VERIFICATION, EMAIL_VERIFICATION_EMAIL } from '../../http/limits.ts'
import { publicly, reply, route } from '../../http/route.ts'

const tag = 'Authentication'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/public/email-verification/confirm',
    operationId: 'confirmEmailVerification',
    tag,
    summary: 'Confirm an e-mail address by the token of a mail',
    description: 'Signing up sends the mail. The token is good for 48 hours, once.',
    auth: publicly(...ACCOUNT_TOKEN),
    body: z.object({ token: mailedToken }),
    replies: { 200: ok },
    errors: ['invalid_token', 'token_expired'],
    async handle({ body }, services) {
      await services.account.confirmEmailVerification(body)
      return reply(200, { ok: true })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/public/email-verification/resend',
    operationId: 'resendEmailVerification',
    tag,
    summary: 'Ask for another mail that confirms an address',
    description:
      'The answer is the same whether or not the address has an account to confirm. A new link ends those before it.',
    auth: { ...publicly(...EMAIL_VERIFICATION), bodyLimits: EMAIL_VERIFICATION_EMAIL },
    body: z.object({ email }),
    replies: { 202: ok },
    errors: [],
    async handle({ body }, services) {
      await services.account.resendEmailVerification(body)
      return reply(202, { ok: true })
    },
  }),
]
