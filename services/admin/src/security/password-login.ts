import { createHmac } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../context.ts'
import {
  forgetLoginFailures,
  lockedForSeconds,
  loginSubject,
  recordLoginFailure,
  subjectThere,
} from '../db/login-failures.ts'
import { isKnownNetwork, rememberNetwork } from '../db/login-networks.ts'
import { networkOf } from '../domain/network.ts'
import { unauthorized } from '../domain/unauthorized.ts'

interface Attempt {
  audience: 'merchant' | 'operator'
  email: string
  password: string
  /** Absent for an unknown e-mail address. */
  account: { id: string; merchantId?: string; passwordHash: string } | undefined
}

/**
 * Throws unless the password is right. An unknown e-mail address costs the same time, is counted the same and gets the
 * same answer. Failures per account and hour are limited; success forgets them. A network from which the account has
 * logged in of late has a count of its own: whoever fails in its name elsewhere does not lock it out there.
 */
export async function assertPasswordLogin(ctx: Context, caller: Caller, attempt: Attempt): Promise<void> {
  const subject = loginSubject(attempt.audience, attempt.email)
  const network = networkDigest(ctx, subject, caller.ip)
  // Judged and counted within the slot: a burst cannot make more guesses than the limit and the slots allow.
  const counted = await ctx.passwords.slot(async () => {
    const isKnown = network !== undefined && (await isKnownNetwork(ctx.database, subject, network))
    const counts = isKnown ? subjectThere(subject, network) : subject
    const seconds = await lockedForSeconds(ctx.database, counts, ctx.config.loginFailuresPerHour)
    if (seconds > 0) throw new ServiceError('rate_limited', { retryAfterSeconds: seconds })
    if (await ctx.passwords.matches(attempt.account?.passwordHash, attempt.password)) return counts
    await fail(ctx, caller, attempt, counts)
    return undefined
  })
  if (!counted) throw unauthorized('invalid')
  await forgetLoginFailures(ctx.database, counted)
  if (network) await rememberNetwork(ctx.database, subject, network)
}

/**
 * Counts a failure. On record are the first of an hour and the one that locks, of accounts that exist: a flood of failures
 * makes two entries per account and hour, and invented addresses none.
 */
function fail(ctx: Context, caller: Caller, { audience, account }: Attempt, counts: Buffer): Promise<void> {
  const { loginFailuresPerHour } = ctx.config
  return ctx.transact('every tenant', async (tx) => {
    const failures = await recordLoginFailure(tx, counts)
    if (!account || (failures !== 1 && failures !== loginFailuresPerHour)) return
    tx.publish(
      auditOf(caller, {
        action: failures === loginFailuresPerHour ? 'login.lock' : 'login.fail',
        resourceType: audience === 'operator' ? 'operator' : 'user',
        resourceId: account.id,
        merchantId: account.merchantId ?? null,
        isTest: false,
        after: { failures },
      }),
    )
  })
}

/** Keyed, as there are few enough networks to try them all; and another one for each account. */
function networkDigest({ config }: Context, subject: Buffer, ip: string | undefined): Buffer | undefined {
  const network = networkOf(ip ?? '')
  if (network === undefined) return undefined
  return createHmac('sha256', config.passwordPepper).update('login-network:').update(subject).update(network).digest()
}
