import { Migration } from '@mikro-orm/migrations'

/** A migration written in SQL: `up() { this.addSql('…') }`. Runs in one transaction, as the owner role. */
export abstract class SqlMigration extends Migration {
  abstract override up(): void | Promise<void>
}

/** A migration and the name under which the database remembers it. */
export interface MigrationObject {
  name: string
  class: new (...args: ConstructorParameters<typeof Migration>) => Migration
}
