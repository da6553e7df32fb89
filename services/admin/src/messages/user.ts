import type { User as UserMessage } from '@svc/contracts/admin/v1/merchant_service'
import type { User } from '../domain/user.ts'

/** A user as operators see it; nothing of what proves who it is. */
export function userMessage(user: User): UserMessage {
  return {
    id: user.id,
    merchant_id: user.merchantId,
    email: user.email,
    email_verified: user.emailVerifiedAt !== null,
    role: user.role,
    created_at: user.createdAt.toISOString(),
    last_login_at: user.lastLoginAt?.toISOString(),
  }
}
