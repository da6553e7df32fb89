import { defineEntity, p } from '@mikro-orm/core'
import { PERMISSIONS, type Permission } from '@svc/credentials'

export const ROLES = ['administrator'] as const

export type Role = (typeof ROLES)[number]

const OperatorSchema = defineEntity({
  name: 'Operator',
  tableName: 'operators',
  properties: {
    id: p.uuid().primary(),
    email: p.text(),
    passwordHash: p.text(),
    role: p.text().$type<Role>().nullable(),
    customRoleId: p.uuid().nullable(),
    /** Of the custom role. */
    permissionKeys: p.array().$type<Permission[]>().nullable(),
    /** Tokens of an earlier one are dead. */
    epoch: p.integer(),
    createdAt: p.datetime(),
    lastLoginAt: p.datetime().nullable(),
  },
})

/** A person who runs the platform. Without a role a login succeeds and permits nothing. */
export class Operator extends OperatorSchema.class {
  credential(): `operator:${string}` {
    return `operator:${this.id}`
  }

  /** Tokens that were made by the former password are dead from then on. */
  changePassword(passwordHash: string): void {
    this.passwordHash = passwordHash
    this.epoch += 1
  }

  /** Those of the custom role, where it has one: they stand in the place of what the role permits. */
  permissions(): readonly Permission[] {
    if (this.permissionKeys) return permissionsOf(this.permissionKeys)
    return this.role === 'administrator' ? PERMISSIONS : []
  }

  /** Gives it a custom role, or takes it away. Tokens of before are dead from then on. */
  assign(role: { id: string; permissionKeys: readonly Permission[] } | null): void {
    this.customRoleId = role?.id ?? null
    this.permissionKeys = role ? [...role.permissionKeys] : null
    this.epoch += 1
  }
}

OperatorSchema.setClass(Operator)

/** Each permission that there is, once and in the order of all. */
export const permissionsOf = (keys: readonly string[]): Permission[] => PERMISSIONS.filter((one) => keys.includes(one))
