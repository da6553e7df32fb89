import { SqlMigration } from '@svc/database'

/** In which currency a rider collects cash at the door. */
export class CodCurrency extends SqlMigration {
  override up(): void {
    this.addSql(`
ALTER TABLE dispatch_jobs ADD COLUMN cod_currency text;
COMMENT ON COLUMN dispatch_jobs.cod_currency IS 'Of cod_amount_minor; null: the merchant''s own.';`)
  }
}
