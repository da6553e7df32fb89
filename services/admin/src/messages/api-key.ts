import type { ApiKey as ApiKeyMessage } from '@svc/contracts/admin/v1/api_key_service'
import type { ApiKey } from '../domain/api-key.ts'

/** A key as its owner sees it in lists: never its text, nor anything to derive it from. */
export function apiKeyMessage(key: ApiKey): ApiKeyMessage {
  return {
    id: key.id,
    label: key.label ?? undefined,
    prefix: key.prefix,
    last4: key.last4,
    scopes: [...key.scopes],
    is_test: key.isTest,
    enterprise_tier: key.enterpriseTier,
    made_by_operator: key.madeByOperator !== null,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString(),
    revoked_at: key.revokedAt?.toISOString(),
  }
}
