import { email, maybe, paging, text, uuid } from '@svc/inputs'
import { ok, page, required } from '@svc/public-bodies'
import * as z from 'zod'
import { adminToken, identity, newPassword } from '../../bodies/credential.ts'
import { ADMIN_TOKEN } from '../../http/limits.ts'
import { admin, publicly, reply, route } from '../../http/route.ts'

const tag = 'Operators'
const auth = admin('admin.rbac.manage')

export const routes = [
  route({
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
      return reply(200, { ...required(minted.token), token_type: 'Bearer', auth: 'rbac' })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/admin/rbac/identities',
    operationId: 'listIdentities',
    tag,
    summary: 'List operators',
    auth,
    query: paging(),
    replies: { 200: page('items', identity) },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.operator.listIdentities(query))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/rbac/identities',
    operationId: 'createIdentity',
    tag,
    summary: 'Add an operator',
    auth,
    body: z.object({
      email,
      password: newPassword,
      role: maybe(z.enum(['administrator'])).meta({ description: 'Without a role an operator has no permission' }),
    }),
    replies: { 201: z.object({ identity }) },
    errors: ['already_exists'],
    async handle({ body }, services) {
      const made = await services.operator.createIdentity(body)
      return reply(201, { identity: required(made.identity) })
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/admin/rbac/identities/{identityId}',
    operationId: 'deleteIdentity',
    tag,
    summary: 'Remove an operator',
    auth,
    params: { identityId: uuid },
    replies: { 200: ok },
    errors: ['not_found'],
    async handle({ params }, services) {
      await services.operator.deleteIdentity({ id: params.identityId })
      return reply(200, { ok: true })
    },
  }),
]
