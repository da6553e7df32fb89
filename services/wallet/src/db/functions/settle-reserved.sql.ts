import type { SqlFunction } from '@svc/database'

/**
 * Settles the commission of an order by what was reserved for it at its assignment and, beyond that, by what its payer
 * has available. Where both together are too little the reservation stays as it was.
 */
export const settleReserved: SqlFunction = {
  name: 'settle_reserved',
  sql: `
CREATE OR REPLACE FUNCTION settle_reserved(
  p_op_key text, p_request_hash bytea, p_mode text, p_order_id uuid, p_merchant_id uuid, p_rider_id uuid,
  p_amount_minor bigint, p_currency text, p_payer_kind owner_kind, p_payer_id uuid,
  p_fact_id uuid, p_fact_payload bytea, p_fact_headers jsonb)
RETURNS TABLE (outcome text, is_replay boolean, result jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_reserved holds;
  v_settled record;
BEGIN
  PERFORM lock_subjects('commission', ARRAY[p_order_id]);
  SELECT h.* INTO v_reserved FROM holds h
   WHERE h.subject_kind = 'assignment' AND h.subject_id = p_order_id AND h.state = 'placed';
  IF v_reserved.id IS NULL THEN
    RETURN QUERY SELECT * FROM settle_unreserved(
      p_op_key, p_request_hash, p_mode, p_order_id, p_merchant_id, p_rider_id, p_amount_minor, p_currency,
      p_payer_kind, p_payer_id, p_fact_id, p_fact_payload, p_fact_headers);
    RETURN;
  END IF;
  RETURN QUERY SELECT * FROM earlier_operation(p_op_key, p_request_hash, 'commission', p_order_id::text);
  IF FOUND THEN RETURN; END IF;

  -- Until the commit no other operation reaches what is given back here.
  PERFORM FROM accounts a
    WHERE a.id = ANY (account_ids(
            ARRAY[v_reserved.payer_kind, v_reserved.payer_kind, p_payer_kind, p_payer_kind, 'rider'],
            ARRAY[v_reserved.payer_id, v_reserved.payer_id, p_payer_id, p_payer_id, p_rider_id],
            ARRAY['available', 'held', 'available', 'held', 'available']::account_purpose[], p_currency, false))
      AND a.floor_minor IS NOT NULL ORDER BY a.id FOR NO KEY UPDATE;
  PERFORM release_hold('unreserve:' || p_op_key, p_request_hash, 'assignment', p_order_id, NULL,
                       'commission_released', p_order_id, NULL, NULL, NULL, NULL);
  SELECT * INTO v_settled FROM settle_unreserved(
    p_op_key, p_request_hash, p_mode, p_order_id, p_merchant_id, p_rider_id, p_amount_minor, p_currency,
    p_payer_kind, p_payer_id, p_fact_id, p_fact_payload, p_fact_headers);
  -- An operator may have aborted it meanwhile: the rider still carries the order.
  IF v_settled.outcome IN ('declined', 'aborted') THEN
    PERFORM place_hold('reserve:' || p_op_key, p_request_hash, 'assignment', p_order_id, p_merchant_id, false,
                       p_currency, p_order_id, jsonb_build_object('rider_id', v_reserved.beneficiary_id),
                       v_reserved.payer_kind, v_reserved.payer_id, v_reserved.beneficiary_id, 'commission_hold',
                       v_reserved.amount_minor - v_reserved.captured_minor - v_reserved.released_minor,
                       NULL, NULL, NULL, NULL);
  END IF;
  RETURN QUERY SELECT v_settled.outcome, v_settled.is_replay, v_settled.result;
END $$;`,
}
