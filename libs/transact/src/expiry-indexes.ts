import { IndexMigration, SqlMigration } from '@svc/database'

/** By which the oldest rows of the tables of `outboxSql` are found: the second migration of a service. */
export class ExpiryIndexes extends IndexMigration {
  protected readonly indexes = [
    { name: 'outbox_expiry', on: 'outbox (published_at) WHERE published_at IS NOT NULL' },
    { name: 'inbox_expiry', on: 'inbox (received_at)' },
    { name: 'parked_expiry', on: 'parked (resolved_at) WHERE resolved_at IS NOT NULL' },
    { name: 'intent_expiry', on: `intent (created_at) WHERE state IN ('applied', 'declined', 'aborted')` },
    { name: 'idempotency_oldest', on: 'idempotency (expires_at)' },
  ]
}

/** What was removed lies before the oldest rows until it is vacuumed; the third migration lets that not wait for days. */
export class ExpiryVacuum extends SqlMigration {
  up(): void {
    for (const table of ['inbox', 'intent', 'idempotency'])
      this.addSql(`ALTER TABLE ${table} SET (autovacuum_vacuum_scale_factor = 0.02)`)
  }
}

/** Of the first migration, and read by no statement since `ExpiryIndexes`: facts are not asked for by when they were made. */
export class AgesDropped extends IndexMigration {
  protected readonly indexes = []
  protected override readonly replaced = ['outbox_age', 'inbox_age', 'idempotency_expiry']
}
