import { PERMISSIONS, SCOPES } from '@svc/credentials'
import { email, timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'

export const scope = z.enum(SCOPES).meta({ id: 'Scope' })
export const permission = z.enum(PERMISSIONS).meta({ id: 'Permission' })

/** At least 10 characters where one is chosen; the rest is judged where passwords are kept. */
export const newPassword = z.string().min(10).max(128)

export const apiKeyRecord = z
  .strictObject({
    id: z.string(),
    label: z.string().nullable(),
    prefix: z.string(),
    last4: z.string(),
    scopes: z.array(scope),
    is_test: z.boolean(),
    enterprise_tier: z.boolean(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' })

export const mintedApiKey = z
  .strictObject({
    ...apiKeyRecord.shape,
    api_key: z.string().meta({ description: 'The key itself; shown this once' }),
  })
  .meta({ id: 'MintedApiKey' })

export const tokenPair = z
  .strictObject({
    access_token: z.string(),
    refresh_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds' }),
    refresh_expires_in: z.int().meta({ description: 'Seconds' }),
    scope: z.string().meta({ example: 'orders:read orders:write' }),
    merchant_id: uuid,
    is_test: z.boolean().nullable().meta({ description: 'null: a login, which sees both environments' }),
  })
  .meta({ id: 'TokenPair' })

export const adminToken = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds' }),
    permissions: z.array(permission),
    auth: z.enum(['static', 'rbac']),
  })
  .meta({ id: 'AdminToken' })

export const identity = z
  .strictObject({
    id: uuid,
    email,
    role: z.string().nullable(),
    permissions: z.array(permission),
    created_at: timestamp,
    last_login_at: timestamp.nullable(),
  })
  .meta({ id: 'OperatorIdentity' })
