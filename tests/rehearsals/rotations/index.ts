import type { Rotation } from '../rotation.ts'
import { apiKeyPepper } from './api-key-pepper.ts'
import { auditKey } from './audit-key.ts'
import { authority } from './authority.ts'
import { callers } from './callers.ts'
import { certificates } from './certificates.ts'
import { databaseLogins } from './database-logins.ts'
import { hookKeys } from './hook-keys.ts'
import { kafkaUsers } from './kafka-users.ts'
import { otpPepper } from './otp-pepper.ts'
import { passwordPepper } from './password-pepper.ts'
import { presented } from './presented.ts'
import { redisUser } from './redis-user.ts'
import { sealed } from './sealed.ts'
import { serverAuthority } from './server-authority.ts'
import { staticTokens } from './static-tokens.ts'
import { tokens } from './tokens.ts'

export const ROTATIONS: readonly Rotation[] = [
  callers,
  tokens,
  hookKeys,
  sealed,
  presented,
  auditKey,
  databaseLogins,
  serverAuthority,
  redisUser,
  otpPepper,
  staticTokens,
  apiKeyPepper,
  passwordPepper,
  kafkaUsers,
  certificates,
  authority,
]
