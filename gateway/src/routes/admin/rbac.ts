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
    description:
      'Answers with a token that has the permissions of the operator, ends after an hour at most and cannot be renewed. 401 does not say whether the address or the password is wrong; 429 after too many wrong passwords. 403 `feature_disabled` where operators have no log-ins of their own.',
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
    description: 'Newest first, each with its role, its permissions and its last log-in.',
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
    description:
      'As an administrator it may do everything, without a role nothing: give it one by `PATCH /v1/admin/rbac/custom-roles/identities/assignment`. 403 names what you would give and do not hold; 409 `already_exists` where an operator has the address.',
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
    description:
      'Its tokens end at once. 403 where it may do something that you may not, and for the last administrator or the last one who may manage operators.',
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
