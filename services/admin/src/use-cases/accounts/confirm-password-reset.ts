import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { readToken } from '../../db/account-tokens.ts'
import { loginSubject, subjectThere } from '../../db/login-failures.ts'
import { networksOfSubject } from '../../db/login-networks.ts'
import { lockMerchant } from '../../db/merchants.ts'
import { forgetSubjects } from '../../db/sign-on-subjects.ts'
import { lockUser } from '../../db/users.ts'
import { assertGood, idOfToken } from '../../domain/account-token.ts'
import { assertPassword } from '../../domain/password-policy.ts'
import { asUser } from '../../events.ts'
import { endUnprovenPast } from '../../security/end-unproven-past.ts'
import { endLocks } from '../../security/password-login.ts'
import { replacePassword } from '../../security/replace-password.ts'

interface ConfirmPasswordReset {
  token: string
  password: string
}

/**
 * Chooses another password by the token of a mail, which is good once. Every log-in of the user ends before it returns. Keys
 * live on, but where nobody had ever confirmed the address: who made them need not be who reads its mails. The address is
 * confirmed by it, locks by wrong passwords are over, wherever they were tried, and the next log-in at an identity provider
 * binds the account anew.
 */
export async function confirmPasswordReset(
  ctx: Context,
  { caller }: By,
  { token, password }: ConfirmPasswordReset,
): Promise<void> {
  const id = idOfToken(ctx.config.passwordPepper, 'password_reset', token)
  // Before the hash, which costs: a token that is not good buys none.
  const { merchantId, userId } = assertGood(await ctx.transact('every tenant', (tx) => readToken(tx, id)))
  assertPassword(password)
  const passwordHash = await ctx.passwords.hash(password)
  // Of no tenant's role: none reaches who the user is at identity providers, which is forgotten with the password or not at all.
  const { user, ended } = await ctx.transact('every tenant', async (tx) => {
    const merchant = await lockMerchant(tx.em, merchantId)
    const found = await lockUser(tx.em, merchantId, userId)
    // Of those that came at once one finds it unused: the user's row is held.
    assertGood(await readToken(tx, id))
    const by = asUser(caller, found)
    const past = found.emailVerifiedAt ? [] : await endUnprovenPast(tx, by, merchant)
    found.confirmEmail(tx.now)
    const changed = { user: found, passwordHash, isPastEnded: past.length > 0 }
    await replacePassword(ctx, tx, by, { ...changed, action: 'user.password_reset' })
    await forgetSubjects(tx, userId)
    return { user: found, ended: past }
  })
  await ctx.epochs.publish([{ credential: user.credential(), epoch: user.epoch }, ...ended])
  const subject = loginSubject('merchant', user.email)
  const known = (await networksOfSubject(ctx.database, subject)).map((network) => subjectThere(subject, network))
  await endLocks(ctx, [subject, ...known])
}
