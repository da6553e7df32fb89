import type { SqlFunction } from '@svc/database'

/**
 * Gives back what is left of a hold. With p_attempt it also gives up that placement, should it not have been decided: a
 * tombstone, which the placement finds when it arrives late. Outcomes as of post_operation().
 */
export const releaseHold: SqlFunction = {
  name: 'release_hold',
  sql: `
CREATE OR REPLACE FUNCTION release_hold(
  p_op_key text, p_request_hash bytea, p_subject_kind text, p_subject_id uuid, p_attempt text,
  p_entry_type entry_type, p_order_id uuid,
  p_fact_id uuid, p_fact_type text, p_fact_payload bytea, p_fact_headers jsonb)
RETURNS TABLE (outcome text, is_replay boolean, result jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_hold holds;
  v_amount_minor bigint;
  v_posted record;
BEGIN
  PERFORM lock_subjects(p_subject_kind, ARRAY[p_subject_id]);
  RETURN QUERY SELECT * FROM earlier_operation(p_op_key, p_request_hash, 'release', NULL);
  IF FOUND THEN RETURN; END IF;
  IF p_attempt IS NOT NULL THEN PERFORM abort_operation(p_attempt); END IF;
  SELECT h.* INTO v_hold FROM holds h
   WHERE h.subject_kind = p_subject_kind AND h.subject_id = p_subject_id AND h.state = 'placed';
  IF v_hold.id IS NULL THEN
    RETURN QUERY SELECT * FROM decline_operation(p_op_key, p_request_hash, 'release', NULL, 'nothing_held');
    RETURN;
  END IF;

  v_amount_minor := v_hold.amount_minor - v_hold.captured_minor - v_hold.released_minor;
  SELECT * INTO v_posted FROM post_operation(
    p_op_key, p_request_hash, 'release', v_hold.id::text, v_hold.merchant_id, v_hold.is_test, v_hold.currency, p_order_id,
    '{}', '{"state": "returned"}',
    ARRAY[v_hold.payer_kind, v_hold.payer_kind], ARRAY[v_hold.payer_id, v_hold.payer_id], ARRAY['held', 'available']::account_purpose[],
    ARRAY[p_entry_type, p_entry_type], ARRAY[-v_amount_minor, v_amount_minor],
    p_fact_id, p_fact_type, p_fact_payload, p_fact_headers);
  IF v_posted.outcome = 'applied' AND NOT v_posted.is_replay THEN
    UPDATE holds SET released_minor = released_minor + v_amount_minor,
           state = CASE WHEN captured_minor = 0 THEN 'voided' ELSE 'closed' END
     WHERE id = v_hold.id;
  END IF;
  RETURN QUERY SELECT v_posted.outcome, v_posted.is_replay, v_posted.result;
END $$;`,
}
