import { randomUUID } from 'node:crypto'
import type { Permission } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { assertLabelIsFree, countRoles } from '../../db/custom-roles.ts'
import { lockPermitting } from '../../db/operators.ts'
import { assertOwnLabel, CustomRole } from '../../domain/custom-role.ts'
import { assertMayGive } from '../../domain/give-permissions.ts'
import { permissionsOf } from '../../domain/operator.ts'
import { customRoleAudit } from '../../events.ts'

const MAX_ROLES = 200

interface CreateCustomRole {
  label: string
  permissionKeys: readonly Permission[]
}

/** Makes a role of permissions, all of which the caller holds; a label is one role at most. */
export async function createCustomRole(
  ctx: Context,
  { caller, scope }: By<'every tenant'>,
  { label, permissionKeys }: CreateCustomRole,
): Promise<CustomRole> {
  assertOwnLabel(label)
  assertMayGive(caller, permissionKeys)
  return ctx.transact(scope, async (tx) => {
    await lockPermitting(tx, caller)
    if ((await countRoles(tx.em)) >= MAX_ROLES)
      throw new ServiceError('limit_reached', { details: { limit: MAX_ROLES } })
    const id = randomUUID()
    await assertLabelIsFree(tx, label, id)
    const role = tx.em.create(CustomRole, {
      id,
      label,
      permissionKeys: permissionsOf(permissionKeys),
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    tx.publish(customRoleAudit(caller, 'custom_role.create', { after: role }))
    return role
  })
}
