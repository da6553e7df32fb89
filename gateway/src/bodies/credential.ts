import type { ApiKey } from '@svc/contracts/admin/v1/api_key_service'
import type { TokenPair } from '@svc/contracts/admin/v1/credential_service'
import type { AdminToken, CustomRole, Identity } from '@svc/contracts/admin/v1/operator_service'
import type { WorkspaceGrant } from '@svc/contracts/admin/v1/workspace_grant_service'
import { PERMISSIONS, SCOPES } from '@svc/credentials'
import { fieldsOf, id, instant, orNull, shownAs, whole, words } from '@svc/public-bodies'
import * as z from 'zod'

export const scope = z.enum(SCOPES).meta({ id: 'Scope' })
/** The scopes of a new key, or of a grant. */
export const newScopes = z.array(scope).min(1).max(16)
const scopes = z.array(shownAs(z.string(), scope))
export const permission = z.enum(PERMISSIONS).meta({ id: 'Permission' })
const permissions = z.array(shownAs(z.string(), permission))
const seconds = whole.meta({ description: 'Seconds' })

/** At least 10 characters where one is chosen; the rest is judged where passwords are kept. */
export const newPassword = z.string().min(10).max(128)

/** What a mail's link holds; what is none of ours is refused where it is judged. */
export const mailedToken = z.string().min(1).max(512)

const keyFields = fieldsOf<ApiKey>()({
  id: z.string(),
  label: orNull(z.string()),
  prefix: z.string(),
  last4: z.string(),
  scopes,
  is_test: z.boolean(),
  enterprise_tier: z.boolean(),
  made_by_operator: z
    .boolean()
    .meta({ description: 'An operator has seen the key: it neither writes payout instruments nor withdraws' }),
  created_at: instant,
  last_used_at: orNull(instant),
  revoked_at: orNull(instant),
})

export const apiKeyRecord = z.object(keyFields).meta({ id: 'ApiKey' })

/** The one reply that holds a key's secret. */
export const mintedApiKey = z
  .object({
    ...keyFields,
    api_key: z.string().meta({ description: 'The key itself; shown this once' }),
  })
  .meta({ id: 'MintedApiKey' })

export const workspaceGrant = z
  .object(
    fieldsOf<WorkspaceGrant>()({
      id,
      grantor_merchant_id: id,
      grantee_merchant_id: id,
      scopes,
      is_test: z.boolean().meta({ description: 'true: given by a test credential, it reaches the sandbox alone' }),
      status: words('active', 'revoked'),
      created_at: instant,
      revoked_at: orNull(instant),
    }),
  )
  .meta({ id: 'WorkspaceGrant' })

export const tokenPair = z
  .object({
    ...fieldsOf<TokenPair>()({
      access_token: z.string(),
      refresh_token: z.string(),
      expires_in: seconds,
      refresh_expires_in: seconds,
      merchant_id: id,
      is_test: orNull(z.boolean()).meta({ description: 'null: a login, which sees both environments' }),
      grantor_merchant_id: orNull(id).meta({
        description: 'The merchant for which the tokens act, where not their own',
      }),
    }),
    token_type: z.literal('Bearer'),
    scope: z.string().meta({ example: 'orders:read orders:write' }),
  })
  .meta({ id: 'TokenPair' })

export const tokenPairOf = (tokens: TokenPair) => ({
  ...tokens,
  token_type: 'Bearer' as const,
  scope: tokens.scopes.join(' '),
})

export const adminToken = z
  .object({
    ...fieldsOf<AdminToken>()({ access_token: z.string(), expires_in: seconds, permissions }),
    token_type: z.literal('Bearer'),
    auth: words('static', 'rbac', 'oidc'),
  })
  .meta({ id: 'AdminToken' })

export const identity = z
  .object(
    fieldsOf<Identity>()({
      id,
      email: z.string().meta({ format: 'email' }),
      role: orNull(z.string()),
      permissions,
      created_at: instant,
      last_login_at: orNull(instant),
      custom_role_id: orNull(id).meta({
        description: 'Its permissions stand in the place of those of role',
      }),
    }),
  )
  .meta({ id: 'OperatorIdentity' })

/** A choice of permissions, to be given to operators. */
export const customRole = z
  .object(
    fieldsOf<CustomRole>()({
      id,
      label: z.string(),
      permission_keys: permissions,
      created_at: instant,
      updated_at: instant,
    }),
  )
  .meta({ id: 'CustomRole' })
