import { IndexMigration, SqlMigration } from '@svc/database'

export class IndexKeysOfMerchants extends IndexMigration {
  protected readonly indexes = [
    { name: 'order_ops_of_merchant', on: 'order_ops (merchant_id, op_key)', isUnique: true as const },
  ]
}

/** Riders that several merchants share name their reports by keys of their own: a key is one merchant's. */
export class KeysOfMerchants extends SqlMigration {
  override up(): void {
    this.addSql(`ALTER TABLE order_ops DROP CONSTRAINT order_ops_pkey,
      ADD CONSTRAINT order_ops_pkey PRIMARY KEY USING INDEX order_ops_of_merchant`)
  }
}
