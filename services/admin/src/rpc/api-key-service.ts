import { ApiKeyServiceService } from '@svc/contracts/admin/v1/api_key_service'
import { SCOPES } from '@svc/credentials'
import { type By, either, inPerson, merchant, merchantNamed, operator, rpc, serving, type Tenant } from '@svc/grpc'
import { idField, pageFields, text } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { apiKeyMessage } from '../messages/api-key.ts'
import { createApiKey } from '../use-cases/api-keys/create-api-key.ts'
import { listApiKeys } from '../use-cases/api-keys/list-api-keys.ts'
import { revokeApiKey } from '../use-cases/api-keys/revoke-api-key.ts'
import { rotateApiKey } from '../use-cases/api-keys/rotate-api-key.ts'
import { updateApiKey } from '../use-cases/api-keys/update-api-key.ts'

const WRITE = operator('admin.api_keys.write')
const MANAGE = either(inPerson(merchant('keys:manage')), WRITE)

const label = text(200).optional()
const merchantId = idField.optional()

/** The tenant whose keys are meant: the caller's, or both environments of the merchant that an operator names. */
function tenantOf(by: By, named: string | undefined): Tenant {
  return by.scope === 'every tenant' ? { merchantId: merchantNamed(by, named), isTest: null } : by.scope
}

/** A merchant's integration keys, as it and operators see and change them. */
export const apiKeyService = serving<Context>()(ApiKeyServiceService, {
  listApiKeys: rpc({
    access: either(inPerson(merchant('keys:manage', 'orders:read')), operator('admin.api_keys.read')),
    input: z.object({ ...pageFields(), merchant_id: merchantId }),
    async handle(ctx, by, { merchant_id, ...page }) {
      const { keys, total } = await listApiKeys(ctx, by, { ...page, tenant: tenantOf(by, merchant_id) })
      return { items: keys.map(apiKeyMessage), total, ...page }
    },
  }),

  createApiKey: rpc({
    access: MANAGE,
    input: z.object({
      label,
      scopes: z.array(z.enum(SCOPES)),
      is_test: z.boolean(),
      merchant_id: merchantId,
      enterprise_tier: z.boolean().optional(),
    }),
    async handle(ctx, by, { is_test: isTest, merchant_id, enterprise_tier, ...asked }) {
      const enterpriseTier = by.scope === 'every tenant' && enterprise_tier === true
      const wanted = { ...asked, isTest, enterpriseTier, tenant: tenantOf(by, merchant_id) }
      const { key, text: apiKey } = await createApiKey(ctx, by, wanted)
      return { key: apiKeyMessage(key), api_key: apiKey }
    },
  }),

  rotateApiKey: rpc({
    access: MANAGE,
    input: z.object({ id: z.string(), label, merchant_id: merchantId }),
    async handle(ctx, by, { merchant_id, ...asked }) {
      const { key, text: apiKey } = await rotateApiKey(ctx, by, { ...asked, tenant: tenantOf(by, merchant_id) })
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

  updateApiKey: rpc({
    access: WRITE,
    handle: async (ctx, by, { id, enterprise_tier: enterpriseTier }) => ({
      key: apiKeyMessage(await updateApiKey(ctx, by, { id, enterpriseTier })),
    }),
  }),
})
