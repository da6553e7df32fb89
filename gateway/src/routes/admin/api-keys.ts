import { uuid } from '@svc/inputs'
import { ok, required } from '@svc/public-bodies'
import * as z from 'zod'
import { apiKeyRecord } from '../../bodies/credential.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'API keys of all merchants'
const auth = admin('admin.api_keys.write')
const params = { keyId: uuid }

export const routes = [
  route({
    method: 'PATCH',
    path: '/v1/admin/api-keys/{keyId}',
    operationId: 'updateApiKey',
    tag,
    summary: 'Give an API key the enterprise tier, or take it away',
    description: 'Takes effect at once. Tokens made from the key before must be refreshed.',
    auth,
    params,
    body: z.strictObject({ enterprise_tier: z.boolean() }),
    replies: { 200: apiKeyRecord },
    errors: ['not_found'],
    async handle({ params: { keyId: id }, body }, services) {
      return reply(200, required((await services.apiKey.updateApiKey({ id, ...body })).key))
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/admin/api-keys/{keyId}',
    operationId: 'adminRevokeApiKey',
    tag,
    summary: 'Revoke any API key',
    description: 'Tokens minted from it are dead at once. Revoking a revoked key changes nothing.',
    auth,
    params,
    replies: { 200: ok },
    errors: ['not_found'],
    async handle({ params: { keyId: id } }, services) {
      await services.apiKey.revokeApiKey({ id })
      return reply(200, { ok: true })
    },
  }),
]
