import { ServiceError } from '@svc/errors'
import type { Context } from '../context.ts'
import { forgetLoginFailures, lockedForSeconds, loginSubject, recordLoginFailure } from '../db/login-failures.ts'
import { unauthorized } from '../domain/unauthorized.ts'

interface Attempt {
  audience: 'merchant' | 'operator'
  email: string
  password: string
  /** Absent for an unknown address. */
  storedHash: string | undefined
}

/**
 * Throws unless the password is right. An unknown address costs the same time, is counted the same and gets the same
 * answer. Failures per address and hour are limited; success forgets them.
 */
export async function assertPasswordLogin(ctx: Context, attempt: Attempt): Promise<void> {
  const subject = loginSubject(attempt.audience, attempt.email)
  // Judged and counted within the slot: a burst cannot make more guesses than the limit and the slots allow.
  const matches = await ctx.passwords.slot(async () => {
    const seconds = await lockedForSeconds(ctx.database, subject, ctx.config.loginFailuresPerHour)
    if (seconds > 0) throw new ServiceError('rate_limited', { retryAfterSeconds: seconds })
    const passed = await ctx.passwords.matches(attempt.storedHash, attempt.password)
    if (!passed) await recordLoginFailure(ctx.database, subject)
    return passed
  })
  if (!matches) throw unauthorized('invalid')
  await forgetLoginFailures(ctx.database, subject)
}
