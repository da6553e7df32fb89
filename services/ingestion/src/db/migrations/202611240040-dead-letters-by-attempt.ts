import { IndexMigration, SqlMigration } from '@svc/database'

/** What fails at once was tried too. */
export class TriedAt extends SqlMigration {
  override up(): void {
    this.addSql(`COMMENT ON COLUMN inbound_hooks.handed_on_at IS
      'When it was handed on last, or, of one that failed at once, tried again last. Null: neither has been.'`)
  }
}

/** Dead letters of a channel by when they were tried last: those that end are found among any number that stay. */
export class DeadLettersByAttempt extends IndexMigration {
  protected override readonly indexes = [
    {
      name: 'dead_letters_by_attempt',
      on: `inbound_hooks (channel, (greatest(dead_at, handed_on_at))) WHERE state = 'dead'`,
    },
  ] as const
}
