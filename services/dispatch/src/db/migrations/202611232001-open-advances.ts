import { IndexMigration } from '@svc/database'

/** Advances that are under way. */
export class OpenAdvances extends IndexMigration {
  protected readonly indexes = [
    { name: 'sandbox_advances_open', on: 'sandbox_advances (merchant_id, version) WHERE NOT is_carried_out' },
  ]
}
