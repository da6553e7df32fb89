import type { ApiKeyServiceService } from '@svc/contracts/admin/v1/api_key_service'
import { ServiceError } from '@svc/errors'
import { type Call, type Handlers, requireMerchant, type Tenant } from '@svc/grpc'
import { pageOf } from '@svc/inputs'
import type { Context } from '../context.ts'
import { apiKeyMessage } from '../messages/api-key.ts'
import { createApiKey } from '../use-cases/api-keys/create-api-key.ts'
import { listApiKeys } from '../use-cases/api-keys/list-api-keys.ts'
import { revokeApiKey } from '../use-cases/api-keys/revoke-api-key.ts'
import { rotateApiKey } from '../use-cases/api-keys/rotate-api-key.ts'

const MAX_KEYS = 200
const READING_SCOPES = ['keys:manage', 'orders:read']

/** A merchant's integration keys over gRPC. */
export function apiKeyService(ctx: Context): Handlers<ApiKeyServiceService> {
  return {
    async listApiKeys(asked, call) {
      const tenant = requireReader(call)
      const page = pageOf(asked, MAX_KEYS)
      const { keys, total } = await listApiKeys(ctx, tenant, page)
      return { items: keys.map(apiKeyMessage), total, ...page }
    },
    async createApiKey({ label, scopes, is_test }, call) {
      const tenant = requireMerchant(call, 'keys:manage')
      const { key, text } = await createApiKey(ctx, tenant, call.caller, { label, scopes, isTest: is_test })
      return { key: apiKeyMessage(key), api_key: text }
    },
    async rotateApiKey(request, call) {
      const tenant = requireMerchant(call, 'keys:manage')
      const { key, text } = await rotateApiKey(ctx, tenant, call.caller, request)
      return { key: apiKeyMessage(key), api_key: text }
    },
    async revokeApiKey({ id }, call) {
      await revokeApiKey(ctx, requireMerchant(call, 'keys:manage'), call.caller, id)
      return {}
    },
  }
}

function requireReader(call: Call): Tenant {
  const tenant = requireMerchant(call)
  if (READING_SCOPES.some((scope) => call.caller.scopes.includes(scope))) return tenant
  throw new ServiceError('forbidden', { details: { required: READING_SCOPES } })
}
