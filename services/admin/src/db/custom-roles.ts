import type { EntityManager } from '@mikro-orm/postgresql'
import type { Permission } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import { isUuid, type Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import { CustomRole } from '../domain/custom-role.ts'

/** Newest first, with the number of all. */
export function listRoles(em: EntityManager, { limit, offset }: Page): Promise<[CustomRole[], number]> {
  return em.findAndCount(CustomRole, {}, { limit, offset, orderBy: { createdAt: 'desc', id: 'desc' } })
}

export const countRoles = (em: EntityManager): Promise<number> => em.count(CustomRole, {})

/** The role of that id; not_found for an unknown one. Roles change under the lock of all who permit. */
export async function findRole(em: EntityManager, id: string): Promise<CustomRole> {
  const role = isUuid(id) ? await em.findOne(CustomRole, { id }) : null
  if (!role) throw new ServiceError('not_found')
  return role
}

/** Throws already_exists where another role has the label, in whichever case. */
export async function assertLabelIsFree(tx: Tx, label: string, roleId: string): Promise<void> {
  const { rows } = await tx.sql('SELECT FROM custom_roles WHERE lower(label) = lower($1) AND id <> $2', [label, roleId])
  if (rows.length > 0) throw new ServiceError('already_exists', { details: { field: 'label' } })
}

/** Whether an operator has the role. */
export async function isAssigned(tx: Tx, roleId: string): Promise<boolean> {
  const { rows } = await tx.sql('SELECT FROM operators WHERE custom_role_id = $1 LIMIT 1', [roleId])
  return rows.length > 0
}

/** Gives every operator who has the role its permissions as they are now, in another epoch. */
export async function passOnPermissions(
  tx: Tx,
  roleId: string,
  permissionKeys: readonly Permission[],
): Promise<Array<{ id: string; epoch: number }>> {
  const { rows } = await tx.sql<{ id: string; epoch: number }>(
    'UPDATE operators SET permission_keys = $2, epoch = epoch + 1 WHERE custom_role_id = $1 RETURNING id, epoch',
    [roleId, permissionKeys],
  )
  return rows
}
