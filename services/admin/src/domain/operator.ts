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

  permissions(): readonly Permission[] {
    return this.role === 'administrator' ? PERMISSIONS : []
  }
}

OperatorSchema.setClass(Operator)
