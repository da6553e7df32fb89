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

/** A function of a database: `sql` says CREATE OR REPLACE FUNCTION, and is applied whenever it has changed. */
export interface SqlFunction {
  name: string
  sql: string
}

/** What a database must have run: its migrations in their order, and its functions, which come after all of them. */
export type Migrations = readonly (MigrationObject | SqlFunction)[]

export const isFunction = (one: MigrationObject | SqlFunction): one is SqlFunction => 'sql' in one
