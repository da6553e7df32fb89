import { defineEntity, p } from '@mikro-orm/core'

const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    /** Lower case; unique over all merchants, for a login names nothing else. */
    email: p.text(),
    emailVerifiedAt: p.datetime().nullable(),
    passwordHash: p.text(),
    /** It, or one before it, was chosen by who reads the account's mails. */
    passwordByMail: p.boolean().default(false),
    role: p.text().$type<'owner'>(),
    epoch: p.integer(),
    createdAt: p.datetime(),
    lastLoginAt: p.datetime().nullable(),
  },
})

/** A person who logs in for a merchant. */
export class User extends UserSchema.class {
  credential(): `user:${string}` {
    return `user:${this.id}`
  }

  /** Tokens that were made by the former password are dead from then on. */
  changePassword(passwordHash: string, { isByMail = false } = {}): void {
    this.passwordHash = passwordHash
    this.passwordByMail ||= isByMail
    this.epoch += 1
  }

  /** Keeps the first time. */
  confirmEmail(now: Date): void {
    this.emailVerifiedAt ??= now
  }
}

UserSchema.setClass(User)
