import type { AdminToken as AdminTokenMessage, Identity } from '@svc/contracts/admin/v1/operator_service'
import type { Operator } from '../domain/operator.ts'
import type { AdminToken } from '../security/admin-token.ts'

export function identityMessage(operator: Operator): Identity {
  return {
    id: operator.id,
    email: operator.email,
    role: operator.role ?? undefined,
    permissions: [...operator.permissions()],
    created_at: operator.createdAt.toISOString(),
    last_login_at: operator.lastLoginAt?.toISOString(),
    custom_role_id: operator.customRoleId ?? undefined,
  }
}

export function adminTokenMessage(token: AdminToken): AdminTokenMessage {
  return {
    access_token: token.accessToken,
    expires_in: token.expiresInSeconds,
    permissions: [...token.permissions],
  }
}
