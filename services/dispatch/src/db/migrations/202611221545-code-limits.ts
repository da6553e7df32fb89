import { recorderTableSql, SqlMigration } from '@svc/database'

/** How many codes a number and a merchant's riders and customers were sent of late, by any caller. */
export class CodeLimits extends SqlMigration {
  override up(): void {
    this.addSql(`
      CREATE TABLE code_numbers (
        phone text PRIMARY KEY,
        -- When the codes of the last hour went out.
        sent timestamptz(3)[] NOT NULL,
        last_at timestamptz(3) NOT NULL);
      CREATE INDEX code_numbers_by_age ON code_numbers (last_at);
      CREATE TABLE code_merchants (
        merchant_id uuid NOT NULL,
        day date NOT NULL,
        sent int NOT NULL,
        PRIMARY KEY (merchant_id, day));
      CREATE INDEX code_merchants_by_age ON code_merchants (day);`)
    for (const table of ['code_numbers', 'code_merchants'])
      this.addSql(recorderTableSql({ service: 'dispatch', table }))
  }
}
