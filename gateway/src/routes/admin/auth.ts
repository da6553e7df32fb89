import { ServiceError } from '@svc/errors'
import { text } from '@svc/inputs'
import { ok, required } from '@svc/public-bodies'
import * as z from 'zod'
import { adminToken, newPassword } from '../../bodies/credential.ts'
import { ADMIN_TOKEN } from '../../http/limits.ts'
import { admin, publicly, reply, route } from '../../http/route.ts'

const tag = 'Operators'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/admin/auth/token',
    operationId: 'exchangeAdminToken',
    tag,
    summary: 'Exchange the static admin token for an operator token',
    description:
      'To get in where no operator can log in: to make the first one, or in an emergency. The token has every permission, ends after an hour at most and cannot be renewed. 401 for a wrong token; 404 where the installation has no static token.',
    auth: publicly(...ADMIN_TOKEN),
    headers: { authorization: z.string().optional().meta({ description: 'Bearer and the static token' }) },
    body: z.object({ token: text(1024).optional().meta({ description: 'The static token, in place of the header' }) }),
    replies: { 200: adminToken },
    errors: ['unauthorized', 'not_found'],
    async handle({ headers, body }, services) {
      const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? body.token
      if (!token) throw new ServiceError('unauthorized', { details: { reason: 'missing' } })
      const minted = await services.operator.exchangeAdminToken({ token })
      return reply(200, { ...required(minted.token), token_type: 'Bearer', auth: 'static' })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/auth/change-password',
    operationId: 'changeOperatorPassword',
    tag,
    summary: 'Choose another password; ends all of your tokens',
    description:
      'At least ten characters, and none of the common ones. Log in with it afterwards. 401 where `current_password` is wrong, 429 after too many wrong ones, and 403 for the static token, which has no password.',
    auth: admin(),
    body: z.object({ current_password: text(1024), new_password: newPassword }),
    replies: { 200: ok },
    errors: [],
    async handle({ body }, services) {
      await services.operator.changeOperatorPassword(body)
      return reply(200, { ok: true })
    },
  }),
]
