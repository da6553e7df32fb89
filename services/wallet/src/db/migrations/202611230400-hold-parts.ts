import { recorderTableSql, SqlMigration } from '@svc/database'

const service = 'wallet'

/** What of a hold is for which order, where one hold is for many. */
export class HoldParts extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE hold_parts (
  part_id uuid PRIMARY KEY,
  subject_kind text NOT NULL,
  subject_id uuid NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0));
COMMENT ON TABLE hold_parts IS 'Of one subject they sum up to its hold. A part that was given back has an operation hold_part of its id.';
CREATE INDEX hold_parts_of_subject ON hold_parts (subject_kind, subject_id);
${recorderTableSql({ service, table: 'hold_parts', workerGrants: 'SELECT, INSERT' })}`)
  }
}
