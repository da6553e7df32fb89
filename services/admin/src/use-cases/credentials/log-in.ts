import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { findUserByEmail, lockJudgedUser } from '../../db/users.ts'
import { userHolder } from '../../domain/holder.ts'
import { openSession } from '../../security/open-session.ts'
import { assertPasswordLogin } from '../../security/password-login.ts'
import { type TokenPair, tokenPair } from '../../security/token-pair.ts'

/** Starts a refresh family for an owner. A wrong password and an unknown address are one and the same answer. */
export async function logIn(
  ctx: Context,
  { caller }: By,
  input: { email: string; password: string },
): Promise<TokenPair> {
  const email = input.email.trim().toLowerCase()
  // The tenant is not known yet.
  const known = await ctx.transact('every tenant', ({ em }) => findUserByEmail(em, email))
  await assertPasswordLogin(ctx, caller, {
    audience: 'merchant',
    email,
    password: input.password,
    account: known ?? undefined,
  })
  if (!known) throw new TypeError('a password without an account cannot match')
  if (ctx.config.emailVerificationRequired && !known.emailVerifiedAt) throw new ServiceError('email_not_verified')

  const { merchantId } = known
  const { session, holder, ended } = await ctx.transact({ merchantId, isTest: null }, async (tx) => {
    const user = await lockJudgedUser(tx.em, known)
    user.lastLoginAt = tx.now
    const actor = { type: 'merchant_user', id: user.id } as const
    tx.publish(
      auditOf({ ...caller, actor, merchantId }, { action: 'user.login', resourceType: 'user', resourceId: user.id }),
    )
    return openSession(tx, ctx.config, userHolder(user))
  })
  await ctx.epochs.publish(ended)
  return tokenPair(ctx, session, holder)
}
