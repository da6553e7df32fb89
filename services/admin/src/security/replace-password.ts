import type { Caller } from '@svc/grpc'
import type { OrmTx } from '@svc/transact'
import type { Context } from '../context.ts'
import { endTokens } from '../db/account-tokens.ts'
import { endUserFamilies } from '../db/sessions.ts'
import type { User } from '../domain/user.ts'
import { userAudit } from '../events.ts'
import { openAccountMail } from './account-mails.ts'

interface Replacement {
  /** Whose row is held. */
  user: User
  passwordHash: string
  action: 'user.password_change' | 'user.password_reset' | 'user.password_end'
  /** Keys and grants have ended with it. */
  isPastEnded?: boolean
}

/**
 * Gives the user another password: log-ins by the former one and links to choose another end with it, and the user gets a
 * mail. The caller publishes the user's epoch after the commit.
 */
export async function replacePassword(
  ctx: Context,
  tx: OrmTx,
  caller: Caller,
  { user, passwordHash, action, isPastEnded = false }: Replacement,
): Promise<void> {
  const { id, merchantId, email } = user
  user.changePassword(passwordHash, { isByMail: action === 'user.password_reset' })
  await tx.em.flush()
  await endUserFamilies(tx, merchantId, id)
  await endTokens(tx, id, 'password_reset')
  tx.publish(userAudit(caller, user, action))
  const at = tx.now.toISOString()
  const about = action === 'user.password_end' ? 'password_ended' : 'password_changed'
  const mail = { about, audience: 'merchant', email, ip: caller.ip ?? null, at, isPastEnded } as const
  await openAccountMail(ctx, tx, mail, merchantId)
}
