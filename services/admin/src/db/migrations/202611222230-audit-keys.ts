import { SqlMigration } from '@svc/database'

/** By which key an entry of the audit log is chained. */
export class AuditKeys extends SqlMigration {
  override up(): void {
    this.addSql(`
ALTER TABLE audit_log ADD COLUMN key_id text;
COMMENT ON COLUMN audit_log.key_id IS 'Of the key by which the entry is chained. NULL: of before there was one, by SHA-256.';

-- A replica of the release before, which knows of no key, would break the chain for good. What it is refused is parked, and
-- takes effect by replay-parked once that replica has gone.
CREATE FUNCTION audit_log_stays_keyed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT key_id FROM audit_log ORDER BY seq DESC LIMIT 1) IS NOT NULL THEN
    RAISE EXCEPTION 'audit_log is chained by a key: an entry without one is refused' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_log_stays_keyed BEFORE INSERT ON audit_log
  FOR EACH ROW WHEN (NEW.key_id IS NULL) EXECUTE FUNCTION audit_log_stays_keyed();
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_stays_keyed;
`)
  }
}
