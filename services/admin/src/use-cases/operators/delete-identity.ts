import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockAdministrators, lockOperator } from '../../db/operators.ts'

/**
 * Removes an operator and ends its tokens before it returns. The last administrator stays: without one, and without a
 * static token, there would be no way to make another.
 */
export async function deleteIdentity(ctx: Context, by: By<'every tenant'>, { id }: { id: string }): Promise<void> {
  const ended = await ctx.transact(by.scope, async (tx) => {
    const administrators = await lockAdministrators(tx.em)
    const operator = await lockOperator(tx.em, id)
    if (operator.role === 'administrator' && administrators.length === 1)
      throw new ServiceError('forbidden', {
        message: 'The last administrator cannot be deleted.',
        details: { reason: 'last_administrator' },
      })
    const before = { email: operator.email, role: operator.role }
    tx.em.remove(operator)
    tx.publish(auditOf(by.caller, { action: 'operator.delete', resourceType: 'operator', resourceId: id, before }))
    return { credential: operator.credential(), epoch: operator.epoch + 1 }
  })
  await ctx.epochs.publish([ended])
}
