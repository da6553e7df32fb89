import { email, paging, uuid } from '@svc/inputs'
import * as z from 'zod'
import { admin, reply, viewedRoute } from '../../http/route.ts'
import { identity, newPassword } from '../../schemas/credential.ts'
import { ok, page } from '../../schemas/pieces.ts'
import { identityView } from '../../views/credential.ts'
import { present } from '../../views/or-null.ts'

const tag = 'Operators'
const auth = admin('admin.rbac.manage')

export const adminIdentities = [
  viewedRoute({
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
      const { items, total, limit, offset } = await services.operator.listIdentities(query)
      return reply(200, { items: items.map(identityView), total, limit, offset })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/admin/rbac/identities',
    operationId: 'createIdentity',
    tag,
    summary: 'Add an operator',
    auth,
    body: z.object({
      email,
      password: newPassword,
      role: z.enum(['administrator']).nullish().meta({ description: 'Without a role an operator has no permission' }),
    }),
    replies: { 201: z.strictObject({ identity }) },
    errors: ['already_exists'],
    async handle({ body }, services) {
      const made = await services.operator.createIdentity({ ...body, role: body.role ?? undefined })
      return reply(201, { identity: identityView(present(made.identity)) })
    },
  }),
  viewedRoute({
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
