import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { findRole } from '../../db/custom-roles.ts'
import { keepMaker } from '../../db/operator-makers.ts'
import { findOperatorByEmail, lockOperator } from '../../db/operators.ts'
import { normalizedEmail } from '../../domain/email.ts'
import { assertMayGive } from '../../domain/give-permissions.ts'
import type { Operator } from '../../domain/operator.ts'
import { permitting } from '../../security/permitting.ts'

interface AssignCustomRole {
  email: string
  /** Absent: none, so that the operator may do again what its own role permits. */
  roleId?: string | undefined
}

/**
 * Gives the operator of the address a role, or takes it away, and ends its tokens before it returns. The caller holds all
 * that the operator may do before and after it, and counts as who gave it its role.
 */
export async function assignCustomRole(
  ctx: Context,
  { caller, scope }: By<'every tenant'>,
  { email, roleId }: AssignCustomRole,
): Promise<Operator> {
  const assigned = await ctx.transact(scope, (tx) =>
    permitting(tx, caller, async () => {
      const known = await findOperatorByEmail(tx.em, normalizedEmail(email))
      if (!known) throw new ServiceError('not_found', { details: { field: 'email' } })
      const role = roleId === undefined ? null : await findRole(tx.em, roleId)
      const operator = await lockOperator(tx.em, known.id)
      const before = { custom_role_id: operator.customRoleId, permissions: operator.permissions() }
      if (before.custom_role_id === (role?.id ?? null)) return operator
      operator.assign(role)
      const after = { custom_role_id: operator.customRoleId, permissions: operator.permissions() }
      assertMayGive(caller, [...before.permissions, ...after.permissions])
      await keepMaker(tx, operator.id, caller.actor.id, ['role'])
      const act = { action: 'operator.role_assign', resourceType: 'operator', resourceId: operator.id }
      tx.publish(auditOf(caller, { ...act, before, after }))
      return operator
    }),
  )
  await ctx.epochs.publish([{ credential: assigned.credential(), epoch: assigned.epoch }])
  return assigned
}
