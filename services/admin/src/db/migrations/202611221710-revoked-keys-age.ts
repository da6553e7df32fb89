import { IndexMigration } from '@svc/database'

/** By which keys that were revoked long ago are found. */
export class RevokedKeysAge extends IndexMigration {
  protected readonly indexes = [{ name: 'api_keys_revoked', on: 'api_keys (revoked_at) WHERE revoked_at IS NOT NULL' }]
}
