import type { Permission } from '@svc/credentials'
import type { By, Caller } from '@svc/grpc'
import type { OrmTx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { assertLabelIsFree, findRole, passOnPermissions } from '../../db/custom-roles.ts'
import { keepMaker } from '../../db/operator-makers.ts'
import { assertOwnLabel, type CustomRole } from '../../domain/custom-role.ts'
import { assertMayGive } from '../../domain/give-permissions.ts'
import { permissionsOf } from '../../domain/operator.ts'
import { customRoleAudit } from '../../events.ts'
import type { CredentialEpoch } from '../../peers/epochs.ts'
import { permitting } from '../../security/permitting.ts'

interface UpdateCustomRole {
  id: string
  label?: string | undefined
  /** Absent: as they are. */
  permissionKeys?: readonly Permission[] | undefined
}

/**
 * Changes a role. With other permissions every token of those who have it ends before this returns, and the caller counts as
 * who gave them their role. The caller holds all that is given or taken away.
 */
export async function updateCustomRole(
  ctx: Context,
  { caller, scope }: By<'every tenant'>,
  { id, label, permissionKeys }: UpdateCustomRole,
): Promise<CustomRole> {
  const { role, epochs } = await ctx.transact(scope, (tx) =>
    permitting(tx, caller, async () => {
      const found = await findRole(tx.em, id)
      const before = { label: found.label, permissionKeys: found.permissionKeys }
      if (label !== undefined && label !== found.label) {
        assertOwnLabel(label)
        await assertLabelIsFree(tx, label, id)
        found.label = label
      }
      const wanted = permissionKeys && permissionsOf(permissionKeys)
      const ended = wanted ? await changePermissions(tx, caller, found, wanted) : undefined
      const isChanged = found.label !== before.label || ended !== undefined
      if (isChanged) {
        found.updatedAt = tx.now
        tx.publish(customRoleAudit(caller, 'custom_role.update', { before: { id, ...before }, after: found }))
      }
      return { role: found, epochs: ended ?? [] }
    }),
  )
  await ctx.epochs.publish(epochs)
  return role
}

/** Whose tokens have ended by it; undefined where the permissions are those of before. */
async function changePermissions(
  tx: OrmTx,
  caller: Caller,
  role: CustomRole,
  wanted: Permission[],
): Promise<CredentialEpoch[] | undefined> {
  const present = permissionsOf(role.permissionKeys)
  if (present.join() === wanted.join()) return undefined
  const isIn = (list: readonly Permission[]) => (one: Permission) => list.includes(one)
  assertMayGive(
    caller,
    [...wanted, ...present].filter((one) => !(isIn(wanted)(one) && isIn(present)(one))),
  )
  role.permissionKeys = wanted
  const operators = await passOnPermissions(tx, role.id, wanted)
  for (const operator of operators) await keepMaker(tx, operator.id, caller.actor.id, ['role'])
  return operators.map((operator) => ({ credential: `operator:${operator.id}` as const, epoch: operator.epoch }))
}
