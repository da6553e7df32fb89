import type { SqlFunction } from '@svc/database'

/**
 * Puts an amount aside, from the available to the held account of its payer; one hold per subject is open at a time.
 * Outcomes as of post_operation().
 */
export const placeHold: SqlFunction = {
  name: 'place_hold',
  sql: `
CREATE OR REPLACE FUNCTION place_hold(
  p_op_key text, p_request_hash bytea, p_subject_kind text, p_subject_id uuid,
  p_merchant_id uuid, p_is_test boolean, p_currency text, p_order_id uuid, p_about jsonb,
  p_payer_kind owner_kind, p_payer_id uuid, p_beneficiary_id uuid, p_entry_type entry_type, p_amount_minor bigint,
  p_fact_id uuid, p_fact_type text, p_fact_payload bytea, p_fact_headers jsonb)
RETURNS TABLE (outcome text, is_replay boolean, result jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_result jsonb := '{"state": "held"}';
  v_posted record;
BEGIN
  PERFORM lock_subjects(p_subject_kind, ARRAY[p_subject_id]);
  RETURN QUERY SELECT * FROM earlier_operation(p_op_key, p_request_hash, 'hold', NULL);
  IF FOUND THEN RETURN; END IF;
  IF EXISTS (SELECT FROM holds WHERE subject_kind = p_subject_kind AND subject_id = p_subject_id AND state = 'placed') THEN
    RETURN QUERY SELECT 'already_applied', false, v_result;
    RETURN;
  END IF;

  SELECT * INTO v_posted FROM post_operation(
    p_op_key, p_request_hash, 'hold', NULL, p_merchant_id, p_is_test, p_currency, p_order_id, p_about, v_result,
    ARRAY[p_payer_kind, p_payer_kind], ARRAY[p_payer_id, p_payer_id], ARRAY['available', 'held']::account_purpose[],
    ARRAY[p_entry_type, p_entry_type], ARRAY[-p_amount_minor, p_amount_minor],
    p_fact_id, p_fact_type, p_fact_payload, p_fact_headers);
  IF v_posted.outcome = 'applied' AND NOT v_posted.is_replay THEN
    INSERT INTO holds (subject_kind, subject_id, merchant_id, is_test, currency, payer_kind, payer_id, beneficiary_id,
                       amount_minor, placed_by)
    VALUES (p_subject_kind, p_subject_id, p_merchant_id, p_is_test, p_currency, p_payer_kind, p_payer_id,
            p_beneficiary_id, p_amount_minor, p_op_key);
  END IF;
  RETURN QUERY SELECT v_posted.outcome, v_posted.is_replay, v_posted.result;
END $$;`,
}
