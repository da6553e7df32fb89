import { digestsOf } from '@svc/credentials'
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
import { findKnownNetwork, rememberNetwork } from '../db/login-networks.ts'
import { movePassword } from '../db/password-hashes.ts'
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

/** From where somebody logs in. */
interface Place {
  /** What failures are counted under. */
  counts: Buffer
  /** The account has logged in from that network of late. */
  isKnown: boolean
  /** Under which it is remembered. */
  network: Buffer | undefined
  /** When that was asked, by the clock of the database. */
  askedAt: Date
}

/**
 * Throws unless the password is right. An unknown e-mail address costs the same time, is counted the same and gets the
 * same answer. Failures per account and hour are limited; success forgets them. A network from which the account has
 * logged in of late has a count of its own: whoever fails in its name elsewhere does not lock it out there.
 */
export async function assertPasswordLogin(ctx: Context, caller: Caller, attempt: Attempt): Promise<void> {
  const place = await placeOf(ctx, caller, attempt)
  const { counts } = place
  // Judged and counted within the slot: a burst cannot make more guesses than the limit and the slots allow. Nothing in it
  // waits for another replica.
  const judged = await ctx.passwords.slot(async () => {
    const lock = await findLock(ctx.database, counts, { allowedPerHour: ctx.config.loginFailuresPerHour, mark: LOCK })
    if (lock) {
      // Whoever made the failure that locks died before it was on record: that is made up for.
      if (!lock.isMarked) await putOnRecord(ctx, caller, attempt, place)
      throw new ServiceError('rate_limited', { retryAfterSeconds: lock.seconds })
    }
    const judged = await ctx.passwords.match(attempt.account?.passwordHash, attempt.password)
    if (!judged.matches) await recordLoginFailure(ctx.database, counts)
    return judged
  })
  if (!judged.matches) {
    await putOnRecord(ctx, caller, attempt, place)
    throw unauthorized('invalid')
  }
  await endLocks(ctx, [counts])
  await remember(ctx, attempt, place)
  if (judged.isFormer && attempt.account) await moveToFirst(ctx, attempt.account, { ...attempt, ...place })
}

/** Hashes the password under the first pepper, so that the one by which it was hashed may go. */
async function moveToFirst(
  ctx: Context,
  { id, passwordHash: former }: NonNullable<Attempt['account']>,
  { audience, password, askedAt }: Named & { password: string; askedAt: Date },
): Promise<void> {
  const passwordHash = await ctx.passwords.hash(password)
  await movePassword(ctx.database, audience, { id, former, passwordHash, askedAt })
}

/**
 * Within an hour one failure is on record and one that locks, of accounts that exist: however long a flood of failures
 * lasts, it makes two entries per account and hour, and invented addresses none, at the same cost. Whose account it locks
 * gets a mail, one per lock.
 */
async function putOnRecord(ctx: Context, caller: Caller, attempt: Attempt, { counts, isKnown }: Place): Promise<void> {
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
export async function assertNotLocked(ctx: Context, caller: Caller, account: Named): Promise<void> {
  const { counts } = await placeOf(ctx, caller, account)
  const lock = await findLock(ctx.database, counts, { allowedPerHour: ctx.config.loginFailuresPerHour, mark: LOCK })
  if (lock) throw new ServiceError('rate_limited', { retryAfterSeconds: lock.seconds })
}

/** Remembers from where the account has logged in. */
export async function rememberLogin(ctx: Context, { ip }: Caller, account: Named): Promise<void> {
  const [network] = networkDigests(ctx, subjectOf(account), ip)
  await remember(ctx, account, { network })
}

async function remember({ database }: Context, account: Named, { network }: Pick<Place, 'network'>): Promise<void> {
  if (network) await rememberNetwork(database, subjectOf(account), network)
}

const subjectOf = ({ audience, email }: Named): Buffer => loginSubject(audience, email)

async function placeOf(ctx: Context, { ip }: Caller, account: Named): Promise<Place> {
  const subject = subjectOf(account)
  const networks = networkDigests(ctx, subject, ip)
  const { known, askedAt } = await findKnownNetwork(ctx.database, subject, networks)
  const counts = known ? subjectThere(subject, known) : subject
  return { counts, isKnown: known !== null, network: networks[0], askedAt }
}

/** By each of the peppers. Keyed, as there are few enough networks to try them all; and other ones for each account. */
function networkDigests({ config }: Context, subject: Buffer, ip: string | undefined): Buffer[] {
  const network = networkOf(ip ?? '')
  if (network === undefined) return []
  return digestsOf(config.passwordPepper, Buffer.concat([Buffer.from('login-network:'), subject, Buffer.from(network)]))
}
