import { ServiceError } from '@svc/errors'
import { text } from '@svc/inputs'
import * as z from 'zod'
import { ADMIN_TOKEN } from '../../http/limits.ts'
import { publicly, reply, viewedRoute } from '../../http/route.ts'
import { adminToken } from '../../schemas/credential.ts'
import { adminTokenView } from '../../views/credential.ts'
import { present } from '../../views/or-null.ts'

const tag = 'Operators'

export const adminAuth = [
  viewedRoute({
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
      return reply(200, adminTokenView(present(minted.token), 'static'))
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/admin/rbac/token',
    operationId: 'logInOperator',
    tag,
    summary: 'Log an operator in with e-mail and password',
    auth: publicly(...ADMIN_TOKEN),
    body: z.object({ email: text(320), password: text(1024) }),
    replies: { 200: adminToken },
    errors: ['unauthorized', 'feature_disabled'],
    async handle({ body }, services) {
      const minted = await services.operator.logInOperator(body)
      return reply(200, adminTokenView(present(minted.token), 'rbac'))
    },
  }),
]
