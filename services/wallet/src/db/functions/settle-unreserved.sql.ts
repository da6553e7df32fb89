import type { SqlFunction } from '@svc/database'

/**
 * Pays the rider of an order from what its payer has available, or holds the commission, at most once per order whatever the keys: what lies in escrow
 * already is paid from there, to the rider for whom it was held, and not held again.
 */
export const settleUnreserved: SqlFunction = {
  name: 'settle_unreserved',
  sql: `
CREATE OR REPLACE FUNCTION settle_unreserved(
  p_op_key text, p_request_hash bytea, p_mode text, p_order_id uuid, p_merchant_id uuid, p_rider_id uuid,
  p_amount_minor bigint, p_currency text, p_payer_kind owner_kind, p_payer_id uuid,
  p_fact_id uuid, p_fact_payload bytea, p_fact_headers jsonb)
RETURNS TABLE (outcome text, is_replay boolean, result jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_about jsonb := jsonb_build_object('rider_id', p_rider_id);
  v_hold holds;
BEGIN
  PERFORM lock_subjects('commission', ARRAY[p_order_id]);
  SELECT h.* INTO v_hold FROM holds h
   WHERE h.subject_kind = 'commission' AND h.subject_id = p_order_id AND h.state = 'placed';
  IF p_mode = 'pay' AND v_hold.id IS NULL THEN
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
      p_op_key, p_request_hash, 'commission', p_order_id, 'commission', p_order_id, NULL, NULL,
      'commission_released', 'commission_credit',
      -- Of a field that comes twice the last one counts: the fact names the rider who is paid.
      p_fact_id, 'wallet.commission_settled', p_fact_payload || '\\x2224'::bytea || convert_to(v_hold.beneficiary_id::text, 'UTF8'),
      p_fact_headers);
  ELSE
    RETURN QUERY SELECT * FROM place_hold(
      p_op_key, p_request_hash, 'commission', p_order_id, p_merchant_id, false, p_currency, p_order_id, v_about,
      p_payer_kind, p_payer_id, p_rider_id, 'commission_hold', p_amount_minor,
      p_fact_id, 'wallet.commission_held', p_fact_payload, p_fact_headers);
  END IF;
END $$;`,
}
