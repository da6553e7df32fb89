import { defineEntity, p } from '@mikro-orm/core'
import type { Permission } from '@svc/credentials'
import { validationError } from '@svc/errors'
import { ROLES } from './operator.ts'

const CustomRoleSchema = defineEntity({
  name: 'CustomRole',
  tableName: 'custom_roles',
  properties: {
    id: p.uuid().primary(),
    label: p.text(),
    permissionKeys: p.array().$type<Permission[]>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
})

/** A choice of permissions that operators made, to be given to operators. */
export class CustomRole extends CustomRoleSchema.class {}

CustomRoleSchema.setClass(CustomRole)

/** Throws for the name of a role that is built in: who reads it would take it for that. */
export function assertOwnLabel(label: string): void {
  if (!(ROLES as readonly string[]).includes(label.toLowerCase())) return
  const message = 'label must not be that of a role that is built in.'
  throw validationError([{ field: 'label', rule: 'reserved', message }])
}
