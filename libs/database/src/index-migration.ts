import { Migration } from '@mikro-orm/migrations'

/** An index to make. */
interface NewIndex {
  name: string
  /** What stands behind ON: `orders (merchant_id, created_at DESC)`, with a WHERE if need be. */
  on: string
  isUnique?: true
}

/**
 * Makes indexes of tables that are in use without holding up those who write to them: one after the other, each outside of
 * any transaction. After a crash it is run again from its beginning, so an index that was left half made is made anew.
 */
export abstract class IndexMigration extends Migration {
  protected abstract readonly indexes: readonly NewIndex[]

  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    // An index waits for transactions that are under way, and no one waits for it.
    this.addSql('SET lock_timeout = 0')
    for (const { name, on, isUnique } of this.indexes) {
      this.addSql(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
      this.addSql(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${on}`)
    }
    this.addSql('RESET lock_timeout')
  }
}
