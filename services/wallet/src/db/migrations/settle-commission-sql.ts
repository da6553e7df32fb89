/**
 * settle_commission() pays the rider of an order, or holds the commission, at most once per order whatever the keys: what
 * lies in escrow already is paid from there and not held again.
 *
 * settle_commissions() does so for several orders in one transaction. It locks all subjects and then all accounts in
 * order before the first of them, so that two that overlap never wait for each other both ways.
 */
export const settleCommissionSql: string = `
CREATE FUNCTION settle_commission(
  p_op_key text, p_request_hash bytea, p_mode text, p_order_id uuid, p_merchant_id uuid, p_rider_id uuid,
  p_amount_minor bigint, p_currency text, p_payer_kind owner_kind, p_payer_id uuid,
  p_fact_id uuid, p_fact_payload bytea, p_fact_headers jsonb)
RETURNS TABLE (outcome text, is_replay boolean, result jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_about jsonb := jsonb_build_object('rider_id', p_rider_id);
  v_is_held boolean;
BEGIN
  PERFORM lock_subjects('commission', ARRAY[p_order_id]);
  v_is_held := EXISTS (
    SELECT FROM holds WHERE subject_kind = 'commission' AND subject_id = p_order_id AND state = 'placed');
  IF p_mode = 'pay' AND NOT v_is_held THEN
    RETURN QUERY SELECT * FROM post_operation(
      p_op_key, p_request_hash, 'commission', p_order_id::text, p_merchant_id, false, p_currency, p_order_id, v_about,
      '{"state": "paid"}',
      ARRAY[p_payer_kind, 'rider'], ARRAY[p_payer_id, p_rider_id], ARRAY['available', 'available']::account_purpose[],
      ARRAY['commission_debit', 'commission_credit']::entry_type[], ARRAY[-p_amount_minor, p_amount_minor],
      p_fact_id, 'wallet.commission_settled', p_fact_payload, p_fact_headers);
    RETURN;
  END IF;

  RETURN QUERY SELECT * FROM earlier_operation(p_op_key, p_request_hash, 'commission', p_order_id::text);
  IF FOUND THEN RETURN; END IF;
  IF p_mode = 'pay' THEN
    RETURN QUERY SELECT * FROM capture_hold(
      p_op_key, p_request_hash, 'commission', p_order_id, 'commission', p_order_id, NULL, p_rider_id,
      'commission_released', 'commission_credit',
      p_fact_id, 'wallet.commission_settled', p_fact_payload, p_fact_headers);
  ELSE
    RETURN QUERY SELECT * FROM place_hold(
      p_op_key, p_request_hash, 'commission', p_order_id, p_merchant_id, false, p_currency, p_order_id, v_about,
      p_payer_kind, p_payer_id, p_rider_id, 'commission_hold', p_amount_minor,
      p_fact_id, 'wallet.commission_held', p_fact_payload, p_fact_headers);
  END IF;
END $$;

CREATE FUNCTION settle_commissions(
  p_op_keys text[], p_request_hashes bytea[], p_modes text[], p_order_ids uuid[], p_merchant_ids uuid[], p_rider_ids uuid[],
  p_amounts bigint[], p_currencies text[], p_payer_kinds owner_kind[], p_payer_ids uuid[],
  p_fact_ids uuid[], p_fact_payloads bytea[], p_fact_headers jsonb[])
RETURNS TABLE (outcome text, is_replay boolean, result jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_accounts uuid[] := '{}';
  v_currency text;
BEGIN
  IF cardinality(p_op_keys) > 1 THEN
    PERFORM lock_subjects('commission', p_order_ids);
    FOR v_currency IN SELECT DISTINCT c FROM unnest(p_currencies) AS c LOOP
      v_accounts := v_accounts || (
        SELECT account_ids(array_agg(o.kind), array_agg(o.id), array_agg(o.purpose), v_currency, false)
          FROM unnest(p_currencies, p_payer_kinds, p_payer_ids, p_rider_ids) AS s (currency, payer_kind, payer_id, rider_id)
         CROSS JOIN LATERAL (VALUES (s.payer_kind, s.payer_id, 'available'::account_purpose), (s.payer_kind, s.payer_id, 'held'),
                                    ('rider', s.rider_id, 'available')) AS o (kind, id, purpose)
         WHERE s.currency = v_currency);
    END LOOP;
    PERFORM FROM accounts a WHERE a.id = ANY (v_accounts) AND a.floor_minor IS NOT NULL ORDER BY a.id FOR NO KEY UPDATE;
  END IF;
  FOR i IN 1 .. cardinality(p_op_keys) LOOP
    RETURN QUERY SELECT * FROM settle_commission(
      p_op_keys[i], p_request_hashes[i], p_modes[i], p_order_ids[i], p_merchant_ids[i], p_rider_ids[i],
      p_amounts[i], p_currencies[i], p_payer_kinds[i], p_payer_ids[i], p_fact_ids[i], p_fact_payloads[i], p_fact_headers[i]);
  END LOOP;
END $$;
`
