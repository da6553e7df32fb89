import { SqlMigration, tenantTableSql } from '@svc/database'

const service = 'order'

/** From this age on a change of a live order is noted as late. */
export const LATE = `interval '1 day'`

/**
 * What changes of live orders do that are older than a day, as far as lists are filtered by it: so many of a filter's orders
 * as were counted are not counted again. By a trigger, as no way of changing an order may forget it; nearly all changes come
 * within the day and cost a look at two columns.
 */
export class LateChanges extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE late_changes (
  merchant_id uuid NOT NULL,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT app_now(),
  created_at timestamptz NOT NULL,
  source text NOT NULL,
  external_order_id text NOT NULL,
  was_status text NOT NULL, now_status text NOT NULL,
  was_payment_verified boolean NOT NULL, now_payment_verified boolean NOT NULL,
  was_rider_id uuid, now_rider_id uuid);
COMMENT ON TABLE late_changes IS 'Changes of live orders older than a day: counts that did not see their transactions add them.';
COMMENT ON COLUMN late_changes.created_at IS 'Of the order.';
CREATE INDEX late_changes_of_merchant ON late_changes (merchant_id, xid);
CREATE INDEX late_changes_age ON late_changes (at);
${tenantTableSql({ service, table: 'late_changes', appGrants: 'SELECT, INSERT' })}`)
    this.addSql(`
CREATE FUNCTION note_late_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO late_changes (merchant_id, created_at, source, external_order_id, was_status, now_status,
                            was_payment_verified, now_payment_verified, was_rider_id, now_rider_id)
  VALUES (OLD.merchant_id, OLD.created_at, OLD.source, OLD.external_order_id, OLD.status, NEW.status,
          OLD.payment_verified, NEW.payment_verified, OLD.rider_id, NEW.rider_id);
  RETURN NULL;
END $$`)
    this.addSql(`
CREATE TRIGGER late_change AFTER UPDATE OF status, payment_verified, rider_id ON orders FOR EACH ROW
  WHEN (OLD.created_at < now() - ${LATE} AND NOT OLD.is_test
        AND (OLD.status, OLD.payment_verified, OLD.rider_id)
            IS DISTINCT FROM (NEW.status, NEW.payment_verified, NEW.rider_id))
  EXECUTE FUNCTION note_late_change()`)
  }
}
