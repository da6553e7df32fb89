import type { SqlFunction } from '@svc/database'

/** Leaves a tombstone under a key that was not decided; answers how the key stands from now on. */
export const abortOperation: SqlFunction = {
  name: 'abort_operation',
  sql: `
CREATE OR REPLACE FUNCTION abort_operation(p_op_key text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO wallet_ops (op_key, request_hash, kind, outcome, created_at)
  VALUES (p_op_key, '', 'tombstone', 'aborted', app_now())
  ON CONFLICT DO NOTHING;
  RETURN (SELECT o.outcome::text FROM wallet_ops o WHERE o.op_key = p_op_key);
END $$;`,
}
