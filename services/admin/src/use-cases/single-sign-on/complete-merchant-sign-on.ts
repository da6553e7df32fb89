import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockMerchant } from '../../db/merchants.ts'
import { bindSubject } from '../../db/sign-on-subjects.ts'
import { findUserByEmail, lockJudgedUser } from '../../db/users.ts'
import { userHolder } from '../../domain/holder.ts'
import { asUser } from '../../events.ts'
import type { CredentialEpoch } from '../../peers/epochs.ts'
import { endUnprovenPast } from '../../security/end-unproven-past.ts'
import { openSession } from '../../security/open-session.ts'
import { assertNotLocked, rememberLogin } from '../../security/password-login.ts'
import { replacePassword } from '../../security/replace-password.ts'
import { proveSignOn, providerOf, refusedSignOn, type SignOnCallback, vouchedEmail } from '../../security/sign-on.ts'
import { type TokenPair, tokenPair } from '../../security/token-pair.ts'

const audience = 'merchant'

/**
 * Starts a refresh family for the owner whose confirmed address the provider vouches for. The first log-in binds the account
 * to that person there: nobody else comes in by the address later. Both sides must have seen that the address is the
 * person's, or whoever signs up with the address of another would wait in that account; nor does a password that came with
 * the sign-up survive the first log-in, nor keys and grants that came by it: who confirms an address need not be who made the
 * account.
 */
export async function completeMerchantSignOn(
  ctx: Context,
  { caller }: By,
  callback: SignOnCallback,
): Promise<{ tokens: TokenPair; successUrl: string | undefined }> {
  const identity = await proveSignOn(ctx, audience, callback)
  const email = await vouchedEmail(ctx, caller, audience, identity)
  const known = await ctx.transact('every tenant', ({ em }) => findUserByEmail(em, email))
  if (!known) throw await refusedSignOn(ctx, caller, { audience, identity, reason: 'no_account' })
  await assertNotLocked(ctx, caller, { audience, email })

  const { merchantId } = known
  const entered = await ctx.transact('every tenant', async (tx) => {
    const merchant = await lockMerchant(tx.em, merchantId)
    // Another password since may have unbound the account from this person.
    const user = await lockJudgedUser(tx.em, known)
    if (!user.emailVerifiedAt) return 'account_not_verified'
    const bound = await bindSubject(tx, { audience, id: user.id }, identity)
    if (bound === 'other') return 'other_subject'
    const by = asUser(caller, user)
    const act = { resourceType: 'user', resourceId: user.id, isTest: false }
    const { issuer, subject } = identity
    if (bound !== 'known') tx.publish(auditOf(by, { ...act, action: 'sign_on.bind', after: { issuer, subject } }))
    let past: CredentialEpoch[] = []
    if (bound === 'first' && !user.passwordByMail) {
      past = await endUnprovenPast(tx, by, merchant)
      const ending = { user, passwordHash: ctx.passwords.hashOfNone, isPastEnded: past.length > 0 }
      await replacePassword(ctx, tx, by, { ...ending, action: 'user.password_end' })
    }
    tx.publish(auditOf(by, { ...act, action: 'user.login', after: { auth: 'oidc' } }))
    user.lastLoginAt = tx.now
    const epochs = [{ credential: user.credential(), epoch: user.epoch }, ...past]
    return { ...(await openSession(tx, ctx.config, userHolder(user))), epochs }
  })
  if (typeof entered === 'string') {
    const account = { id: known.id, merchantId }
    throw await refusedSignOn(ctx, caller, { audience, identity, reason: entered, account })
  }
  await rememberLogin(ctx, caller, { audience, email })
  await ctx.epochs.publish([...entered.epochs, ...entered.ended])
  const tokens = await tokenPair(ctx, entered.session, entered.holder)
  return { tokens, successUrl: providerOf(ctx, audience).successUrl }
}
