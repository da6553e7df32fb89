import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockOperator } from '../../db/operators.ts'
import { assertMayGive } from '../../domain/give-permissions.ts'
import { permitting } from '../../security/permitting.ts'

/** Removes an operator, who may do nothing that the caller may not, and ends its tokens before it returns. The last administrator stays. */
export async function deleteIdentity(
  ctx: Context,
  { caller, scope }: By<'every tenant'>,
  { id }: { id: string },
): Promise<void> {
  const ended = await ctx.transact(scope, (tx) =>
    permitting(tx, caller, async () => {
      const operator = await lockOperator(tx.em, id)
      assertMayGive(caller, operator.permissions())
      const before = { email: operator.email, role: operator.role, custom_role_id: operator.customRoleId }
      tx.em.remove(operator)
      tx.publish(auditOf(caller, { action: 'operator.delete', resourceType: 'operator', resourceId: id, before }))
      return { credential: operator.credential(), epoch: operator.epoch + 1 }
    }),
  )
  await ctx.epochs.publish([ended])
}
