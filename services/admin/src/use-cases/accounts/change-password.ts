import { ServiceError, validationError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { lockUser } from '../../db/users.ts'
import { assertSameEpoch } from '../../domain/holder.ts'
import { assertPassword } from '../../domain/password-policy.ts'
import { assertPasswordLogin } from '../../security/password-login.ts'
import { replacePassword } from '../../security/replace-password.ts'
import { getAccount } from './get-account.ts'

interface ChangePassword {
  currentPassword: string
  newPassword: string
}

/**
 * The user who logged in chooses another password. Every log-in of the user, the caller's too, ends before it returns; keys
 * live on. Guesses of the current one are counted with those at the log-in. 401 where the log-in that calls has ended by then.
 */
export async function changePassword(
  ctx: Context,
  by: By<Tenant>,
  { currentPassword, newPassword }: ChangePassword,
): Promise<void> {
  const { caller, scope } = by
  if (newPassword === currentPassword) throw sameAgain()
  const { user: known } = await getAccount(ctx, by)
  if (!known) throw wrongPassword()
  await assertPasswordLogin(ctx, caller, {
    audience: 'merchant',
    email: known.email,
    password: currentPassword,
    account: known,
  }).catch((error: unknown) => {
    // The credential of the call is good: 401 would tell a client to get another one.
    throw error instanceof ServiceError && error.code === 'unauthorized' ? wrongPassword() : error
  })
  assertPassword(newPassword, 'new_password')
  const passwordHash = await ctx.passwords.hash(newPassword)
  const user = await ctx.transact(scope, async (tx) => {
    const found = await lockUser(tx.em, scope.merchantId, known.id)
    // Chosen anew since it was judged: the one that was given is not the current one.
    if (found.epoch !== known.epoch) throw wrongPassword()
    assertSameEpoch(found, caller.credentialEpoch)
    await replacePassword(ctx, tx, caller, { user: found, passwordHash, action: 'user.password_change' })
    return found
  })
  await ctx.epochs.publish([{ credential: user.credential(), epoch: user.epoch }])
}

function sameAgain(): ServiceError {
  return validationError([{ field: 'new_password', rule: 'unchanged', message: 'That is the current password.' }])
}

function wrongPassword(): ServiceError {
  const message = 'The current password is not right.'
  return new ServiceError('forbidden', { message, details: { field: 'current_password', reason: 'wrong_password' } })
}
