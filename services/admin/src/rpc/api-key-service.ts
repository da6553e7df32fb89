import { ApiKeyServiceService } from '@svc/contracts/admin/v1/api_key_service'
import { SCOPES } from '@svc/credentials'
import { inPerson, merchant, rpc, serving } from '@svc/grpc'
import { pageFields, text } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { apiKeyMessage } from '../messages/api-key.ts'
import { createApiKey } from '../use-cases/api-keys/create-api-key.ts'
import { listApiKeys } from '../use-cases/api-keys/list-api-keys.ts'
import { revokeApiKey } from '../use-cases/api-keys/revoke-api-key.ts'
import { rotateApiKey } from '../use-cases/api-keys/rotate-api-key.ts'

const MANAGE = inPerson(merchant('keys:manage'))

const label = text(200).optional()

/** A merchant's integration keys. */
export const apiKeyService = serving<Context>()(ApiKeyServiceService, {
  listApiKeys: rpc({
    access: inPerson(merchant('keys:manage', 'orders:read')),
    input: z.object(pageFields()),
    async handle(ctx, by, page) {
      const { keys, total } = await listApiKeys(ctx, by, page)
      return { items: keys.map(apiKeyMessage), total, ...page }
    },
  }),

  createApiKey: rpc({
    access: MANAGE,
    input: z.object({ label, scopes: z.array(z.enum(SCOPES)), is_test: z.boolean() }),
    async handle(ctx, by, { is_test: isTest, ...asked }) {
      const { key, text: apiKey } = await createApiKey(ctx, by, { ...asked, isTest })
      return { key: apiKeyMessage(key), api_key: apiKey }
    },
  }),

  rotateApiKey: rpc({
    access: MANAGE,
    input: z.object({ id: z.string(), label }),
    async handle(ctx, by, asked) {
      const { key, text: apiKey } = await rotateApiKey(ctx, by, asked)
      return { key: apiKeyMessage(key), api_key: apiKey }
    },
  }),

  revokeApiKey: rpc({
    access: MANAGE,
    async handle(ctx, by, { id }) {
      await revokeApiKey(ctx, by, { id })
      return {}
    },
  }),
})
