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
