import type { ApiKey } from '@svc/contracts/admin/v1/api_key_service'
import type { TokenPair } from '@svc/contracts/admin/v1/credential_service'
import type { AdminToken, Identity } from '@svc/contracts/admin/v1/operator_service'
import { orNull } from './or-null.ts'

export const apiKeyView = (key: ApiKey): Record<string, unknown> => ({
  id: key.id,
  label: orNull(key.label),
  prefix: key.prefix,
  last4: key.last4,
  scopes: key.scopes,
  is_test: key.is_test,
  enterprise_tier: key.enterprise_tier,
  created_at: key.created_at,
  last_used_at: orNull(key.last_used_at),
  revoked_at: orNull(key.revoked_at),
})

/** The one reply that holds a key's secret. */
export const mintedApiKeyView = (key: ApiKey, apiKey: string): Record<string, unknown> => ({
  ...apiKeyView(key),
  api_key: apiKey,
})

export const tokenPairView = (tokens: TokenPair): Record<string, unknown> => ({
  access_token: tokens.access_token,
  refresh_token: tokens.refresh_token,
  token_type: 'Bearer',
  expires_in: tokens.expires_in,
  refresh_expires_in: tokens.refresh_expires_in,
  scope: tokens.scopes.join(' '),
  merchant_id: tokens.merchant_id,
  is_test: orNull(tokens.is_test),
})

export const adminTokenView = (token: AdminToken, auth: 'static' | 'rbac'): Record<string, unknown> => ({
  access_token: token.access_token,
  token_type: 'Bearer',
  expires_in: token.expires_in,
  permissions: token.permissions,
  auth,
})

export const identityView = (identity: Identity): Record<string, unknown> => ({
  id: identity.id,
  email: identity.email,
  role: orNull(identity.role),
  permissions: identity.permissions,
  created_at: identity.created_at,
  last_login_at: orNull(identity.last_login_at),
})
