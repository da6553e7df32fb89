import { paging, text, uuid } from '@svc/inputs'
import { page, required } from '@svc/public-bodies'
import * as z from 'zod'
import { apiKeyRecord, mintedApiKey, newScopes } from '../../../bodies/credential.ts'
import { admin, reply, route } from '../../../http/route.ts'

const tag = 'API keys of all merchants'
const auth = admin('admin.api_keys.write')
const params = { merchantId: uuid }

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/api-keys',
    operationId: 'adminListApiKeys',
    tag,
    summary: "List a merchant's API keys, revoked ones included, newest first",
    description:
      'What each key may do and when it was last used; its secret is never shown again. 404 for an unknown merchant.',
    auth: admin('admin.api_keys.read'),
    params,
    query: paging(),
    replies: { 200: page('items', apiKeyRecord) },
    errors: ['not_found'],
    async handle({ params: { merchantId: merchant_id }, query }, services) {
      return reply(200, await services.apiKey.listApiKeys({ ...query, merchant_id }))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/merchants/{merchantId}/api-keys',
    operationId: 'adminCreateApiKey',
    tag,
    summary: 'Create an API key of a merchant',
    description: 'A live key takes what a merchant needs for its own: a verified and approved business.',
    auth,
    params,
    body: z.strictObject({
      label: text(200).optional(),
      scopes: newScopes.optional().meta({ description: 'Every scope when absent' }),
      is_test: z.boolean().default(false),
      enterprise_tier: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether it may mint keys of scopes that it does not hold' }),
    }),
    replies: { 201: mintedApiKey },
    errors: ['not_found', 'kyb_required', 'billing_blocked', 'limit_reached'],
    async handle({ params: { merchantId: merchant_id }, body }, services) {
      const created = await services.apiKey.createApiKey({ ...body, scopes: body.scopes ?? [], merchant_id })
      return reply(201, { ...required(created.key), api_key: created.api_key })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/merchants/{merchantId}/api-keys/{keyId}/rotate',
    operationId: 'adminRotateApiKey',
    tag,
    summary: 'Replace the secret of a merchant’s API key',
    description: 'The id stays; the old secret is dead at once.',
    auth,
    params: { ...params, keyId: uuid },
    body: z.strictObject({ label: text(200).optional() }),
    replies: { 200: mintedApiKey },
    errors: ['not_found'],
    async handle({ params: { merchantId: merchant_id, keyId: id }, body: { label } }, services) {
      const rotated = await services.apiKey.rotateApiKey({ id, label, merchant_id })
      return reply(200, { ...required(rotated.key), api_key: rotated.api_key })
    },
  }),
]
