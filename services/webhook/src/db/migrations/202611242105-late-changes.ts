import { SqlMigration, tenantTableSql } from '@svc/database'

const service = 'webhook'

/** From this age on a change of a delivery is noted as late: hardly an attempt is made so long after its event. */
export const LATE = `interval '1 day'`
/** Older than any instant up to which a count that is still believed goes. */
const LONG_SETTLED = `interval '2 days'`

/**
 * What becomes of deliveries that are older than a day, as far as lists are filtered by it: so many of a filter's deliveries
 * as were counted are not counted again. By triggers, as no way of changing or removing one may forget it. Nearly all
 * change within the day, and cost a look at two columns; those that are removed at the end of their time are noted together.
 */
export class LateChanges extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE late_changes (
  merchant_id uuid NOT NULL,
  is_test bool NOT NULL,
  event text NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  more int NOT NULL,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT app_now());
COMMENT ON TABLE late_changes IS 'By how many deliveries older than a day there are more: counts that did not see their transactions add them.';
COMMENT ON COLUMN late_changes.created_at IS 'Of the deliveries; -infinity where they were older than any count that is believed.';
CREATE INDEX late_changes_of_merchant ON late_changes (merchant_id, xid);
CREATE INDEX late_changes_age ON late_changes (at);
${tenantTableSql({ service, table: 'late_changes', appGrants: 'SELECT, INSERT' })}`)
    this.addSql(`
CREATE FUNCTION note_late_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO late_changes (merchant_id, is_test, event, status, created_at, more)
  VALUES (OLD.merchant_id, OLD.is_test, OLD.event, OLD.status, OLD.created_at, -1),
         (OLD.merchant_id, OLD.is_test, OLD.event, NEW.status, OLD.created_at, 1);
  RETURN NULL;
END $$`)
    this.addSql(`
CREATE TRIGGER late_status AFTER UPDATE OF status ON delivery FOR EACH ROW
  WHEN (OLD.created_at < now() - ${LATE} AND OLD.status <> NEW.status)
  EXECUTE FUNCTION note_late_status()`)
    this.addSql(`
CREATE FUNCTION note_late_ends() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO late_changes (merchant_id, is_test, event, status, created_at, more)
  SELECT merchant_id, is_test, event, status,
         CASE WHEN created_at < now() - ${LONG_SETTLED} THEN '-infinity' ELSE created_at END AS settled_at, -count(*)
    FROM gone WHERE created_at < now() - ${LATE}
   GROUP BY merchant_id, is_test, event, status, settled_at;
  RETURN NULL;
END $$`)
    this.addSql(`
CREATE TRIGGER late_ends AFTER DELETE ON delivery REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
  EXECUTE FUNCTION note_late_ends()`)
  }
}
