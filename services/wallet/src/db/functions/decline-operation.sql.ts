import type { SqlFunction } from '@svc/database'

/**
 * Records that an operation is declined. A capture or release that finds no open hold is recorded so: a late repeat must
 * not reach a hold that was placed afterwards.
 */
export const declineOperation: SqlFunction = {
  name: 'decline_operation',
  sql: `
CREATE OR REPLACE FUNCTION decline_operation(
  p_op_key text, p_request_hash bytea, p_kind text, p_merchant_id uuid, p_reason text)
RETURNS TABLE (outcome text, is_replay boolean, result jsonb) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO wallet_ops (op_key, request_hash, kind, merchant_id, outcome, result, created_at)
  VALUES (p_op_key, p_request_hash, p_kind, p_merchant_id, 'declined', jsonb_build_object('reason', p_reason), app_now())
  ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT e.outcome, false, e.result FROM earlier_operation(p_op_key, p_request_hash, p_kind, NULL) e;
END $$;`,
}
