import { IndexMigration } from '@svc/database'

/** A credential's families by age, and the keys with families to end, are found however many there are. */
export class KeyFamilyIndexes extends IndexMigration {
  protected override readonly indexes = [
    { name: 'sessions_by_age', on: 'sessions (credential, created_at DESC) WHERE revoked_at IS NULL' },
    { name: 'api_keys_with_dead_families', on: 'api_keys (id) WHERE has_dead_families' },
  ]

  protected override readonly replaced = ['sessions_of_credential']
}
