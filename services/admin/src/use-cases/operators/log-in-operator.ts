import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { findOperatorByEmail, lockOperator } from '../../db/operators.ts'
import { type AdminToken, adminToken } from '../../security/admin-token.ts'
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

  const operator = await ctx.transact('every tenant', async (tx) => {
    const found = await lockOperator(tx.em, known.id)
    found.lastLoginAt = tx.now
    const actor = { type: 'admin', id: found.id } as const
    tx.publish(
      auditOf({ ...caller, actor }, { action: 'operator.login', resourceType: 'operator', resourceId: found.id }),
    )
    return found
  })
  const { id, epoch } = operator
  return adminToken(ctx, { id, epoch, permissions: operator.permissions(), auth: 'rbac' })
}
