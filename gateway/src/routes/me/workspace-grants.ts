import { paging, uuid } from '@svc/inputs'
import { ok, page, required } from '@svc/public-bodies'
import * as z from 'zod'
import { newScopes, workspaceGrant } from '../../bodies/credential.ts'
import { inPerson, merchant, reply, route } from '../../http/route.ts'

const tag = 'Workspace grants'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/workspace-grants',
    operationId: 'listWorkspaceGrants',
    tag,
    summary: 'List workspace grants',
    description: 'Those that the merchant gave and those that it has, newest first.',
    auth: merchant('orders:read', 'keys:manage'),
    query: paging(),
    replies: { 200: page('items', workspaceGrant) },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.workspaceGrant.listWorkspaceGrants(query))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/workspace-grants',
    operationId: 'createWorkspaceGrant',
    tag,
    summary: 'Let another merchant act for this one',
    description:
      'Within the scopes, all of which the credential must hold. What a test credential gives reaches the sandbox alone. ' +
      'A revoked grant is given again under its id; tokens made of it before stay dead. ' +
      'Ten times in 24 hours, then 409 limit_reached with details.again_at.',
    auth: inPerson(merchant('keys:manage')),
    body: z.object({
      grantee_merchant_id: uuid,
      scopes: newScopes,
    }),
    replies: { 201: workspaceGrant },
    errors: ['not_found', 'grant_exists', 'limit_reached'],
    async handle({ body }, services) {
      const { grant } = await services.workspaceGrant.createWorkspaceGrant(body)
      return reply(201, required(grant))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/me/workspace-grants/active/for/{grantorMerchantId}',
    operationId: 'getActiveWorkspaceGrant',
    tag,
    summary: 'Read what the merchant may do for another',
    description: '404 where the other merchant has granted nothing, or has taken it back.',
    auth: merchant('orders:read', 'keys:manage'),
    params: { grantorMerchantId: uuid },
    replies: { 200: workspaceGrant },
    errors: ['not_found'],
    async handle({ params }, services) {
      const asked = { grantor_merchant_id: params.grantorMerchantId }
      const { grant } = await services.workspaceGrant.getActiveWorkspaceGrant(asked)
      return reply(200, required(grant))
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/me/workspace-grants/{grantId}',
    operationId: 'revokeWorkspaceGrant',
    tag,
    summary: 'Revoke a workspace grant',
    description:
      'By the merchant that gave it. Tokens made of it are dead at once. Revoking a revoked grant changes nothing.',
    auth: inPerson(merchant('keys:manage')),
    params: { grantId: uuid },
    replies: { 200: ok },
    errors: ['not_found'],
    async handle({ params }, services) {
      await services.workspaceGrant.revokeWorkspaceGrant({ id: params.grantId })
      return reply(200, { ok: true })
    },
  }),
]
