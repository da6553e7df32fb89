import { createHmac } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { networkOf } from '@svc/inputs'
import { auditOf, type Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import {
  countLoginFailures,
  findLock,
  forgetLoginFailures,
  loginSubject,
  marksFirstOfHour,
  recordLoginFailure,
  subjectThere,
} from '../db/login-failures.ts'
import { isKnownNetwork, rememberNetwork } from '../db/login-networks.ts'
import { unauthorized } from '../domain/unauthorized.ts'
import { openAccountMail } from './account-mails.ts'

const LOCK = 'login.lock'

/** An account by which somebody logs in, whether or not there is one. */
interface Named {
  audience: 'merchant' | 'operator'
  email: string
}

interface Attempt extends Named {
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
  // Judged and counted within the slot: a burst cannot make more guesses than the limit and the slots allow. Nothing in it
  // waits for another replica.
  const { counts, matches, isKnown } = await ctx.passwords.slot(async () => {
    const isKnown = network !== undefined && (await isKnownNetwork(ctx.database, subject, network))
    const counts = isKnown ? subjectThere(subject, network) : subject
    const lock = await findLock(ctx.database, counts, { allowedPerHour: ctx.config.loginFailuresPerHour, mark: LOCK })
    if (lock) {
      // Whoever made the failure that locks died before it was on record: that is made up for.
      if (!lock.isMarked) await putOnRecord(ctx, caller, attempt, { counts, isKnown })
      throw new ServiceError('rate_limited', { retryAfterSeconds: lock.seconds })
    }
    const matches = await ctx.passwords.matches(attempt.account?.passwordHash, attempt.password)
    if (!matches) await recordLoginFailure(ctx.database, counts)
    return { counts, matches, isKnown }
  })
  if (!matches) {
    await putOnRecord(ctx, caller, attempt, { counts, isKnown })
    throw unauthorized('invalid')
  }
  await endLocks(ctx, [counts])
  if (network) await rememberNetwork(ctx.database, subject, network)
}

/**
 * Within an hour one failure is on record and one that locks, of accounts that exist: however long a flood of failures
 * lasts, it makes two entries per account and hour, and invented addresses none, at the same cost. Whose account it locks
 * gets a mail, one per lock.
 */
async function putOnRecord(
  ctx: Context,
  caller: Caller,
  attempt: Attempt,
  { counts, isKnown }: { counts: Buffer; isKnown: boolean },
): Promise<void> {
  const { audience, email } = attempt
  const failures = await countLoginFailures(ctx.database, counts)
  const actions = failures < ctx.config.loginFailuresPerHour ? ['login.fail'] : ['login.fail', LOCK]
  await ctx.transact('every tenant', async (tx) => {
    for (const action of actions) {
      if (!(await marksFirstOfHour(tx, counts, action))) continue
      publishFailure(tx, caller, attempt, { action, failures })
      if (action !== LOCK) continue
      const [ip, at] = [caller.ip ?? null, tx.now.toISOString()]
      await openAccountMail(ctx, tx, { about: 'login_locked', audience, email, ip, isKnownNetwork: isKnown, at })
    }
  })
}

function publishFailure(
  tx: Tx,
  caller: Caller,
  { audience, account }: Attempt,
  { action, failures }: { action: string; failures: number },
): void {
  if (!account) return
  tx.publish(
    auditOf(caller, {
      action,
      resourceType: audience === 'operator' ? 'operator' : 'user',
      resourceId: account.id,
      merchantId: account.merchantId ?? null,
      isTest: false,
      after: { failures },
    }),
  )
}

/** Forgets failures: a lock that comes after them is another one, of which the owner is told anew. */
export const endLocks = ({ database }: Context, subjects: readonly Buffer[]): Promise<void> =>
  forgetLoginFailures(database, subjects, LOCK)

/** Throws 429 while wrong passwords lock the account where the caller is: no other way in leads around the lock. */
export async function assertNotLocked(ctx: Context, { ip }: Caller, { audience, email }: Named): Promise<void> {
  const subject = loginSubject(audience, email)
  const network = networkDigest(ctx, subject, ip)
  const isKnown = network !== undefined && (await isKnownNetwork(ctx.database, subject, network))
  const counts = isKnown ? subjectThere(subject, network) : subject
  const lock = await findLock(ctx.database, counts, { allowedPerHour: ctx.config.loginFailuresPerHour, mark: LOCK })
  if (lock) throw new ServiceError('rate_limited', { retryAfterSeconds: lock.seconds })
}

/** Remembers from where the account has logged in. */
export async function rememberLogin(ctx: Context, { ip }: Caller, { audience, email }: Named): Promise<void> {
  const subject = loginSubject(audience, email)
  const network = networkDigest(ctx, subject, ip)
  if (network) await rememberNetwork(ctx.database, subject, network)
}

/** Keyed, as there are few enough networks to try them all; and another one for each account. */
function networkDigest({ config }: Context, subject: Buffer, ip: string | undefined): Buffer | undefined {
  const network = networkOf(ip ?? '')
  if (network === undefined) return undefined
  return createHmac('sha256', config.passwordPepper).update('login-network:').update(subject).update(network).digest()
}
