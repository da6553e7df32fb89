import { Migration } from '@mikro-orm/migrations'

/** An index to make. */
interface NewIndex {
  name: string
  /** What stands behind ON: `orders (merchant_id, created_at DESC)`, with a WHERE if need be. */
  on: string
  isUnique?: true
}

/**
 * Makes indexes of tables that are in use without holding up those who write to them, then drops those that they replace:
 * one after the other, each outside of any transaction. After a crash it is run again from its beginning: what is made
 * stays, and an index that was left half made is made anew. A name is therefore never given to another index.
 */
export abstract class IndexMigration extends Migration {
  protected abstract readonly indexes: readonly NewIndex[]
  /** The names of indexes that nothing needs any more once the new ones are there. */
  protected readonly replaced: readonly string[] = []

  override isTransactional(): boolean {
    return false
  }

  override async up(): Promise<void> {
    // Making and dropping wait for transactions that are under way, and no one waits for them.
    this.addSql('SET lock_timeout = 0')
    for (const { name, on, isUnique } of this.indexes) {
      if (await this.isWhole(name)) continue
      this.addSql(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
      this.addSql(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${on}`)
    }
    for (const name of this.replaced) this.addSql(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
    this.addSql('RESET lock_timeout')
  }

  private async isWhole(name: string): Promise<boolean> {
    const found = await this.execute('SELECT FROM pg_index WHERE indexrelid = to_regclass(?) AND indisvalid', [name])
    return found.length > 0
  }
}
