import type { SqlFunction } from '@svc/database'

/** Pays a part of a hold out, once per part; without an amount all that is left. Outcomes as of post_operation(). */
export const captureHold: SqlFunction = {
  name: 'capture_hold',
  sql: `
CREATE OR REPLACE FUNCTION capture_hold(
  p_op_key text, p_request_hash bytea, p_subject_kind text, p_subject_id uuid, p_kind text, p_part_id uuid,
  p_amount_minor bigint, p_payee_id uuid, p_debit_type entry_type, p_credit_type entry_type,
  p_fact_id uuid, p_fact_type text, p_fact_payload bytea, p_fact_headers jsonb)
RETURNS TABLE (outcome text, is_replay boolean, result jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_result jsonb := '{"state": "paid"}';
  v_hold holds;
  v_payee_id uuid;
  v_amount_minor bigint;
  v_posted record;
BEGIN
  PERFORM lock_subjects(p_subject_kind, ARRAY[p_subject_id]);
  RETURN QUERY SELECT * FROM earlier_operation(p_op_key, p_request_hash, p_kind, p_part_id::text);
  IF FOUND THEN RETURN; END IF;
  SELECT h.* INTO v_hold FROM holds h
   WHERE h.subject_kind = p_subject_kind AND h.subject_id = p_subject_id AND h.state = 'placed';
  v_amount_minor := coalesce(p_amount_minor, v_hold.amount_minor - v_hold.captured_minor - v_hold.released_minor);
  v_payee_id := coalesce(p_payee_id, v_hold.beneficiary_id);
  IF v_hold.id IS NULL OR v_amount_minor > v_hold.amount_minor - v_hold.captured_minor - v_hold.released_minor THEN
    RETURN QUERY SELECT * FROM decline_operation(
      p_op_key, p_request_hash, p_kind, v_hold.merchant_id, CASE WHEN v_hold.id IS NULL THEN 'nothing_held' ELSE 'exceeds_hold' END);
    RETURN;
  END IF;

  SELECT * INTO v_posted FROM post_operation(
    p_op_key, p_request_hash, p_kind, p_part_id::text, v_hold.merchant_id, v_hold.is_test, v_hold.currency, p_part_id,
    jsonb_build_object('rider_id', v_payee_id), v_result,
    ARRAY[v_hold.payer_kind, 'rider'], ARRAY[v_hold.payer_id, v_payee_id], ARRAY['held', 'available']::account_purpose[],
    ARRAY[p_debit_type, p_credit_type], ARRAY[-v_amount_minor, v_amount_minor],
    p_fact_id, p_fact_type, p_fact_payload, p_fact_headers);
  IF v_posted.outcome = 'applied' AND NOT v_posted.is_replay THEN
    UPDATE holds SET captured_minor = captured_minor + v_amount_minor,
           state = CASE WHEN captured_minor + v_amount_minor + released_minor = amount_minor THEN 'closed' ELSE 'placed' END
     WHERE id = v_hold.id;
    INSERT INTO hold_captures (hold_id, part_id, amount_minor, op_key)
    VALUES (v_hold.id, p_part_id, v_amount_minor, p_op_key);
  END IF;
  RETURN QUERY SELECT v_posted.outcome, v_posted.is_replay, v_posted.result;
END $$;`,
}
