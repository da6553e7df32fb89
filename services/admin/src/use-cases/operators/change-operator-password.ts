import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { keepMaker } from '../../db/operator-makers.ts'
import { findOperator, lockJudgedOperator } from '../../db/operators.ts'
import { assertSameEpoch } from '../../domain/holder.ts'
import { assertPassword } from '../../domain/password-policy.ts'
import { assertPasswordLogin } from '../../security/password-login.ts'

interface ChangePassword {
  currentPassword: string
  newPassword: string
}

/**
 * An operator chooses another password; every token of the operator, the caller's included, ends before it returns. 401 where
 * the current password, or the token that calls, is no longer good by then.
 */
export async function changeOperatorPassword(
  ctx: Context,
  { caller, scope }: By<'every tenant'>,
  { currentPassword, newPassword }: ChangePassword,
): Promise<void> {
  const { id } = caller.actor
  const known = await ctx.transact(scope, ({ em }) => findOperator(em, id))
  if (!known) throw new ServiceError('forbidden', { details: { reason: 'no_password' } })
  await assertPasswordLogin(ctx, caller, {
    audience: 'operator',
    email: known.email,
    password: currentPassword,
    account: known,
  })
  assertPassword(newPassword, 'new_password')
  const passwordHash = await ctx.passwords.hash(newPassword)
  const operator = await ctx.transact(scope, async (tx) => {
    const found = await lockJudgedOperator(tx.em, known)
    assertSameEpoch(found, caller.credentialEpoch)
    found.changePassword(passwordHash)
    await keepMaker(tx, id, id, ['password'])
    tx.publish(auditOf(caller, { action: 'operator.password_change', resourceType: 'operator', resourceId: id }))
    return found
  })
  await ctx.epochs.publish([{ credential: operator.credential(), epoch: operator.epoch }])
}
