import type { SqlFunction } from '@svc/database'

/**
 * Settles the commission of an order. Of an order of a shipment, what is held for it there is given back first, so that it
 * pays; where that is too little as well, the hold stays as it was.
 */
export const settleCommission: SqlFunction = {
  name: 'settle_commission',
  sql: `
CREATE OR REPLACE FUNCTION settle_commission(
  p_op_key text, p_request_hash bytea, p_mode text, p_order_id uuid, p_merchant_id uuid, p_rider_id uuid,
  p_amount_minor bigint, p_currency text, p_payer_kind owner_kind, p_payer_id uuid,
  p_fact_id uuid, p_fact_payload bytea, p_fact_headers jsonb)
RETURNS TABLE (outcome text, is_replay boolean, result jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_part hold_parts;
  v_settled record;
BEGIN
  PERFORM lock_subjects('commission', ARRAY[p_order_id]);
  SELECT p.* INTO v_part FROM hold_parts p WHERE p.part_id = p_order_id;
  IF v_part.part_id IS NOT NULL THEN
    PERFORM lock_subjects(v_part.subject_kind, ARRAY[v_part.subject_id]);
    -- Until the commit no other operation reaches what is given back here.
    PERFORM FROM accounts a
      WHERE a.id = ANY (account_ids(
              ARRAY['merchant', 'merchant', p_payer_kind, p_payer_kind, 'rider']::owner_kind[],
              ARRAY[p_merchant_id, p_merchant_id, p_payer_id, p_payer_id, p_rider_id],
              ARRAY['available', 'held', 'available', 'held', 'available']::account_purpose[], p_currency, false))
        AND a.floor_minor IS NOT NULL ORDER BY a.id FOR NO KEY UPDATE;
    BEGIN
      PERFORM release_hold_part(p_order_id);
      SELECT * INTO v_settled FROM settle_reserved(
        p_op_key, p_request_hash, p_mode, p_order_id, p_merchant_id, p_rider_id, p_amount_minor, p_currency,
        p_payer_kind, p_payer_id, p_fact_id, p_fact_payload, p_fact_headers);
      IF v_settled.outcome NOT IN ('applied', 'already_applied') THEN RAISE SQLSTATE 'SV001'; END IF;
      RETURN QUERY SELECT v_settled.outcome, v_settled.is_replay, v_settled.result;
      RETURN;
    EXCEPTION WHEN SQLSTATE 'SV001' THEN NULL;
    END;
  END IF;
  RETURN QUERY SELECT * FROM settle_reserved(
    p_op_key, p_request_hash, p_mode, p_order_id, p_merchant_id, p_rider_id, p_amount_minor, p_currency,
    p_payer_kind, p_payer_id, p_fact_id, p_fact_payload, p_fact_headers);
END $$;`,
}
