import { paging, text, uuid } from '@svc/inputs'
import { ok, page, required } from '@svc/public-bodies'
import * as z from 'zod'
import { apiKeyRecord, mintedApiKey, newScopes } from '../../bodies/credential.ts'
import { inPerson, merchant, reply, route } from '../../http/route.ts'

const tag = 'API keys'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/api-keys',
    operationId: 'listApiKeys',
    tag,
    summary: 'List API keys',
    description: 'Revoked ones too. The secret of a key is never shown again.',
    auth: inPerson(merchant('keys:manage', 'orders:read')),
    query: paging(),
    replies: { 200: page('items', apiKeyRecord) },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.apiKey.listApiKeys(query))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/api-keys',
    operationId: 'createApiKey',
    tag,
    summary: 'Create an API key',
    description:
      'The key is in the reply, once. It has at most the scopes of who makes it, and a test key makes test keys only: send `is_test: true`. 409 `limit_reached` where there are too many.',
    auth: inPerson(merchant('keys:manage')),
    body: z.object({
      label: text(200).optional(),
      scopes: newScopes.optional().meta({ description: "The caller's own when absent" }),
      is_test: z.boolean().default(false),
    }),
    replies: { 201: mintedApiKey },
    errors: ['kyb_required', 'billing_blocked', 'limit_reached'],
    async handle({ body }, services) {
      const created = await services.apiKey.createApiKey({ ...body, scopes: body.scopes ?? [] })
      return reply(201, { ...required(created.key), api_key: created.api_key })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/api-keys/{keyId}/rotate',
    operationId: 'rotateApiKey',
    tag,
    summary: 'Replace the secret of an API key',
    description: 'The id stays; the old secret is dead at once.',
    auth: inPerson(merchant('keys:manage')),
    params: { keyId: uuid },
    body: z.object({ label: text(200).optional() }),
    replies: { 200: mintedApiKey },
    errors: ['not_found', 'kyb_required'],
    async handle({ params, body }, services) {
      const rotated = await services.apiKey.rotateApiKey({ id: params.keyId, label: body.label })
      return reply(200, { ...required(rotated.key), api_key: rotated.api_key })
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/me/api-keys/{keyId}',
    operationId: 'revokeApiKey',
    tag,
    summary: 'Revoke an API key',
    description: 'Tokens minted from it are dead at once. Revoking a revoked key changes nothing.',
    auth: inPerson(merchant('keys:manage')),
    params: { keyId: uuid },
    replies: { 200: ok },
    errors: ['not_found'],
    async handle({ params }, services) {
      await services.apiKey.revokeApiKey({ id: params.keyId })
      return reply(200, { ok: true })
    },
  }),
]
