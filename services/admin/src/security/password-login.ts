import { createHmac } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
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
  /** Absent for an unknown address. */
  storedHash: string | undefined
}

/**
 * Throws unless the password is right. An unknown e-mail address costs the same time, is counted the same and gets the
 * same answer. Failures per account and hour are limited; success forgets them. A network from which the account has
 * logged in of late has a count of its own: whoever fails in its name elsewhere does not lock it out there.
 */
export async function assertPasswordLogin(ctx: Context, { ip }: Caller, attempt: Attempt): Promise<void> {
  const subject = loginSubject(attempt.audience, attempt.email)
  const network = networkDigest(ctx, subject, ip)
  // Judged and counted within the slot: a burst cannot make more guesses than the limit and the slots allow.
  const counted = await ctx.passwords.slot(async () => {
    const isKnown = network !== undefined && (await isKnownNetwork(ctx.database, subject, network))
    const counts = isKnown ? subjectThere(subject, network) : subject
    const seconds = await lockedForSeconds(ctx.database, counts, ctx.config.loginFailuresPerHour)
    if (seconds > 0) throw new ServiceError('rate_limited', { retryAfterSeconds: seconds })
    if (await ctx.passwords.matches(attempt.storedHash, attempt.password)) return counts
    await recordLoginFailure(ctx.database, counts)
    return undefined
  })
  if (!counted) throw unauthorized('invalid')
  await forgetLoginFailures(ctx.database, counted)
  if (network) await rememberNetwork(ctx.database, subject, network)
}

/** Keyed, as there are few enough networks to try them all; and another one for each account. */
function networkDigest({ config }: Context, subject: Buffer, ip: string | undefined): Buffer | undefined {
  const network = networkOf(ip ?? '')
  if (network === undefined) return undefined
  return createHmac('sha256', config.passwordPepper).update('login-network:').update(subject).update(network).digest()
}
