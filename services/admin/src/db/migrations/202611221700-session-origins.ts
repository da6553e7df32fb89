import { IndexMigration } from '@svc/database'

/** The families of one origin by age: of a key or user, and of a rider by merchant and by the key that minted them. */
export class SessionOrigins extends IndexMigration {
  protected override readonly indexes = [
    {
      name: 'sessions_of_origin',
      on: 'sessions (credential, merchant_id, minted_by, created_at DESC) WHERE revoked_at IS NULL',
    },
  ]

  protected override readonly replaced = ['sessions_by_age']
}
