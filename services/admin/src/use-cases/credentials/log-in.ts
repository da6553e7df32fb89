import { ServiceError } from '@svc/errors'
import type { Context } from '../../context.ts'
import { userHolder } from '../../domain/holder.ts'
import { User } from '../../domain/user.ts'
import { openSession } from '../../security/open-session.ts'
import { assertPasswordLogin } from '../../security/password-login.ts'
import { type TokenPair, tokenPair } from '../../security/token-pair.ts'

/** Starts a refresh family for an owner. A wrong password and an unknown address are one and the same answer. */
export async function logIn(ctx: Context, input: { email: string; password: string }): Promise<TokenPair> {
  const email = input.email.trim().toLowerCase()
  // The tenant is not known yet.
  const known = await ctx.database.workerOrm.em.fork().findOne(User, { email })
  await assertPasswordLogin(ctx, {
    audience: 'merchant',
    email,
    password: input.password,
    storedHash: known?.passwordHash,
  })
  if (!known) throw new TypeError('a password of nobody cannot match')
  if (ctx.config.emailVerificationRequired && !known.emailVerifiedAt) throw new ServiceError('email_not_verified')

  const { merchantId } = known
  const { session, holder } = await ctx.transact({ merchantId, isTest: null }, async (tx) => {
    const user = await tx.em.findOneOrFail(User, { id: known.id, merchantId })
    user.lastLoginAt = tx.now
    const found = userHolder(user)
    return { session: openSession(tx, ctx.config, found), holder: found }
  })
  return tokenPair(ctx, session, holder)
}
