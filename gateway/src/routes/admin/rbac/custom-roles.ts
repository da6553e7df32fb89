import { atLeastOne, email, paging, uuid } from '@svc/inputs'
import { ok, page, required } from '@svc/public-bodies'
import * as z from 'zod'
import { customRole, identity, permission } from '../../../bodies/credential.ts'
import { admin, reply, route } from '../../../http/route.ts'

const tag = 'Operators'
const auth = admin('admin.rbac.manage')
const params = { roleId: uuid }
const label = z.string().trim().min(1).max(64)
const permissionKeys = z.array(permission).max(100)

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/rbac/custom-roles',
    operationId: 'listCustomRoles',
    tag,
    summary: 'List the roles that operators made, newest first',
    description: 'With the permissions of each. `administrator` is built in and not among them.',
    auth,
    query: paging(),
    replies: { 200: page('items', customRole) },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.operator.listCustomRoles(query))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/rbac/custom-roles',
    operationId: 'createCustomRole',
    tag,
    summary: 'Make a role',
    description: 'Of permissions that you hold; 403 names those that you do not.',
    auth,
    body: z.strictObject({ label, permission_keys: permissionKeys }),
    replies: { 201: customRole },
    errors: ['already_exists', 'limit_reached'],
    async handle({ body }, services) {
      return reply(201, required((await services.operator.createCustomRole(body)).custom_role))
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/admin/rbac/custom-roles/identities/assignment',
    operationId: 'assignCustomRole',
    tag,
    summary: 'Give an operator a role, or take it away',
    description:
      'Its permissions stand in the place of what the operator could do before; null gives that back. All tokens of the ' +
      'operator end: it has to log in again. You must hold all that the operator may do before and after it.',
    auth,
    body: z.strictObject({ email, role_id: uuid.nullable() }),
    replies: { 200: z.object({ identity }) },
    errors: ['not_found'],
    async handle({ body }, services) {
      const assigned = await services.operator.assignCustomRole({ ...body, role_id: body.role_id ?? undefined })
      return reply(200, { identity: required(assigned.identity) })
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/admin/rbac/custom-roles/{roleId}',
    operationId: 'updateCustomRole',
    tag,
    summary: 'Change a role',
    description: 'With other permissions all tokens of the operators who have it end: they have to log in again.',
    auth,
    params,
    body: atLeastOne(z.strictObject({ label: label.optional(), permission_keys: permissionKeys.optional() })),
    replies: { 200: customRole },
    errors: ['not_found', 'already_exists'],
    async handle({ params: { roleId: id }, body }, services) {
      const permission_keys = body.permission_keys && { values: body.permission_keys }
      const updated = await services.operator.updateCustomRole({ id, label: body.label, permission_keys })
      return reply(200, required(updated.custom_role))
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/admin/rbac/custom-roles/{roleId}',
    operationId: 'deleteCustomRole',
    tag,
    summary: 'Remove a role that no operator has',
    description: '409 `role_in_use` while an operator has it: give that one another role first, or none.',
    auth,
    params,
    replies: { 200: ok },
    errors: ['not_found', 'role_in_use'],
    async handle({ params: { roleId: id } }, services) {
      await services.operator.deleteCustomRole({ id })
      return reply(200, { ok: true })
    },
  }),
]
