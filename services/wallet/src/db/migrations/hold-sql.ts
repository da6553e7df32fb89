/**
 * Holds: an amount goes from the available to the held account of its payer, and from there to payees or back. All
 * operations of one subject wait for each other (lock_subjects), so that each sees what the one before left.
 *
 * place_hold() puts an amount aside; one hold per subject is open at a time.
 * capture_hold() pays a part of it out, once per part; without an amount all that is left.
 * release_hold() gives back what is left. With p_attempt it also gives up that placement, should it not have been
 * decided: a tombstone, which the placement finds when it arrives late.
 *
 * Outcomes as of post_operation(). A capture or release that finds no open hold is declined, and that is recorded: a
 * late repeat must not reach a hold that was placed afterwards.
 */
export const holdSql: string = `
CREATE FUNCTION lock_subjects(p_kind text, p_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(key)
     FROM (SELECT DISTINCT hashtextextended(p_kind || ':' || id, 0) AS key FROM unnest(p_ids) AS id ORDER BY key) sorted;
END $$;

CREATE FUNCTION decline_operation(
  p_op_key text, p_request_hash bytea, p_kind text, p_merchant_id uuid, p_reason text)
RETURNS TABLE (outcome text, is_replay boolean, result jsonb) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO wallet_ops (op_key, request_hash, kind, merchant_id, outcome, result, created_at)
  VALUES (p_op_key, p_request_hash, p_kind, p_merchant_id, 'declined', jsonb_build_object('reason', p_reason), app_now())
  ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT e.outcome, false, e.result FROM earlier_operation(p_op_key, p_request_hash, p_kind, NULL) e;
END $$;

CREATE FUNCTION place_hold(
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
END $$;

CREATE FUNCTION capture_hold(
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
END $$;

CREATE FUNCTION release_hold(
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
END $$;
`
