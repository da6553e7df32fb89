import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { findOperatorByEmail } from '../../db/operators.ts'
import { bindSubject } from '../../db/sign-on-subjects.ts'
import type { AdminToken } from '../../security/admin-token.ts'
import { admitOperator } from '../../security/admit-operator.ts'
import { assertNotLocked, rememberLogin } from '../../security/password-login.ts'
import { proveSignOn, providerOf, refusedSignOn, type SignOnCallback, vouchedEmail } from '../../security/sign-on.ts'

const audience = 'operator'

/** Thrown inside of the transaction, which leaves nothing. */
class OtherSubjectError extends Error {
  override readonly name = 'OtherSubjectError'
}

/**
 * An admin token for the operator whose address the provider vouches for. Nobody becomes an operator by it: the identity was
 * made before, and the first log-in binds it to that person there.
 */
export async function completeOperatorSignOn(
  ctx: Context,
  { caller }: By,
  callback: SignOnCallback,
): Promise<{ token: AdminToken; successUrl: string | undefined }> {
  if (!ctx.config.rbacEnabled) throw new ServiceError('feature_disabled')
  const identity = await proveSignOn(ctx, audience, callback)
  const email = await vouchedEmail(ctx, caller, audience, identity)
  const known = await ctx.transact('every tenant', ({ em }) => findOperatorByEmail(em, email))
  if (!known) throw await refusedSignOn(ctx, caller, { audience, identity, reason: 'no_account' })
  await assertNotLocked(ctx, caller, { audience, email })

  const { id } = known
  const token = await admitOperator(ctx, caller, {
    judged: known,
    auth: 'oidc',
    async assert(tx) {
      const bound = await bindSubject(tx, { audience, id }, identity)
      if (bound === 'other') throw new OtherSubjectError()
      if (bound === 'known') return
      const { issuer, subject } = identity
      const by = { ...caller, actor: { type: 'admin', id } }
      const act = { action: 'sign_on.bind', resourceType: 'operator', resourceId: id, after: { issuer, subject } }
      tx.publish(auditOf(by, act))
    },
  }).catch(async (error: unknown) => {
    if (!(error instanceof OtherSubjectError)) throw error
    throw await refusedSignOn(ctx, caller, { audience, identity, reason: 'other_subject', account: { id } })
  })
  await rememberLogin(ctx, caller, { audience, email })
  return { token, successUrl: providerOf(ctx, audience).successUrl }
}
