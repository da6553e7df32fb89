import type { RpcReplies } from '../rpc-replies.ts'
import { merchant } from './merchant.ts'
import { at, id, page } from './pieces.ts'

const key = {
  id,
  label: 'shop',
  prefix: 'svc_test_000000000000',
  last4: 'abcd',
  scopes: ['orders:read'],
  is_test: true,
  enterprise_tier: false,
  made_by_operator: false,
  created_at: at,
  last_used_at: at,
  revoked_at: at,
}

const grant = {
  id,
  grantor_merchant_id: id,
  grantee_merchant_id: id,
  scopes: ['orders:read'],
  is_test: true,
  status: 'active',
  created_at: at,
  revoked_at: at,
}

export const tokens = {
  access_token: 'eyJhbGciOiJFZERTQSJ9.…',
  refresh_token: 'eyJhbGciOiJFZERTQSJ9.…',
  expires_in: 3600,
  refresh_expires_in: 2_592_000,
  scopes: ['orders:read', 'orders:write'],
  merchant_id: id,
  grantor_merchant_id: id,
  is_test: true,
}

export const credentialReplies = {
  signUpMerchant: {
    merchant,
    api_key: 'svc_test_AbCdEfGhIjKl_0123456789ABCDEFGHIJKLMNOPQRSTUV4RVUSe',
    key,
    email_verification_required: false,
  },
  listApiKeys: { items: [key], ...page },
  createApiKey: { key, api_key: 'svc_test_AbCdEfGhIjKl_0123456789ABCDEFGHIJKLMNOPQRSTUV4RVUSe' },
  rotateApiKey: { key, api_key: 'svc_test_AbCdEfGhIjKl_0123456789ABCDEFGHIJKLMNOPQRSTUV4RVUSe' },
  revokeApiKey: {},
  updateApiKey: { key },
  listWorkspaceGrants: { items: [grant], ...page },
  createWorkspaceGrant: { grant },
  getActiveWorkspaceGrant: { grant },
  revokeWorkspaceGrant: {},
  exchangeApiKey: { tokens },
  logIn: { tokens },
  refreshToken: { tokens },
  changePassword: {},
  requestPasswordReset: {},
  confirmPasswordReset: {},
  resendEmailVerification: {},
  confirmEmailVerification: {},
} satisfies Partial<RpcReplies>
