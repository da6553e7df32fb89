import { IndexMigration } from '@svc/database'

/** By which the business is found that a payment provider tells of. */
export class KybReferences extends IndexMigration {
  protected readonly indexes = [
    { name: 'merchants_kyb_reference', on: 'merchants (kyb_reference) WHERE kyb_reference IS NOT NULL' },
  ]
}
