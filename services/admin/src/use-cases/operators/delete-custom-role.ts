import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { findRole, isAssigned } from '../../db/custom-roles.ts'
import { lockPermitting } from '../../db/operators.ts'
import { customRoleAudit } from '../../events.ts'

/** Removes a role that no operator has. */
export async function deleteCustomRole(
  ctx: Context,
  { caller, scope }: By<'every tenant'>,
  { id }: { id: string },
): Promise<void> {
  await ctx.transact(scope, async (tx) => {
    await lockPermitting(tx, caller)
    const role = await findRole(tx.em, id)
    if (await isAssigned(tx, id)) throw new ServiceError('role_in_use')
    tx.em.remove(role)
    tx.publish(customRoleAudit(caller, 'custom_role.delete', { before: role }))
  })
}
