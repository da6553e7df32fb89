import type { SqlFunction } from '@svc/database'

/** Answers nothing for a new key whose business key (kind, subject) is free. */
export const earlierOperation: SqlFunction = {
  name: 'earlier_operation',
  sql: `
CREATE OR REPLACE FUNCTION earlier_operation(p_op_key text, p_request_hash bytea, p_kind text, p_subject_id text)
RETURNS TABLE (outcome text, is_replay boolean, result jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_earlier wallet_ops;
BEGIN
  -- The key goes before the business key.
  SELECT o.* INTO v_earlier FROM wallet_ops o WHERE o.op_key = p_op_key;
  IF NOT FOUND THEN
    SELECT o.* INTO v_earlier FROM wallet_ops o
     WHERE o.kind = p_kind AND o.subject_id = p_subject_id AND o.outcome = 'applied';
  END IF;
  IF NOT FOUND THEN RETURN; END IF;
  IF v_earlier.op_key <> p_op_key THEN
    RETURN QUERY SELECT 'already_applied', false, v_earlier.result;
  ELSIF v_earlier.outcome = 'aborted' OR v_earlier.request_hash = p_request_hash THEN
    RETURN QUERY SELECT v_earlier.outcome::text, true, v_earlier.result;
  ELSE
    RETURN QUERY SELECT 'conflict', true, NULL::jsonb;
  END IF;
END $$;`,
}
