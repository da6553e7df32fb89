import type { InviteCode as InviteCodeMessage } from '@svc/contracts/dispatch/v1/rider_service'
import type { InviteCode } from '../domain/invite.ts'

export const inviteCodeMessage = ({ id, code, expiresAt, createdAt }: InviteCode): InviteCodeMessage => ({
  id,
  code,
  expires_at: expiresAt.toISOString(),
  created_at: createdAt.toISOString(),
})
