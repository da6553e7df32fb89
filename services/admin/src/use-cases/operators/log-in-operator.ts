import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { findOperatorByEmail } from '../../db/operators.ts'
import type { AdminToken } from '../../security/admin-token.ts'
import { admitOperator } from '../../security/admit-operator.ts'
import { assertPasswordLogin } from '../../security/password-login.ts'

/** An admin token with the permissions of the operator's role, as they are now. */
export async function logInOperator(
  ctx: Context,
  { caller }: By,
  input: { email: string; password: string },
): Promise<AdminToken> {
  if (!ctx.config.rbacEnabled) throw new ServiceError('feature_disabled')
  const email = input.email.trim().toLowerCase()
  const known = await ctx.transact('every tenant', ({ em }) => findOperatorByEmail(em, email))
  await assertPasswordLogin(ctx, caller, {
    audience: 'operator',
    email,
    password: input.password,
    account: known ?? undefined,
  })
  if (!known) throw new TypeError('a password without an account cannot match')

  return admitOperator(ctx, caller, { judged: known, auth: 'rbac' })
}
