import type { SqlFunction } from '@svc/database'

/**
 * Settles several commissions in one transaction. It locks all subjects and then all accounts in order before the first
 * of them, so that two that overlap never wait for each other both ways.
 */
export const settleCommissions: SqlFunction = {
  name: 'settle_commissions',
  sql: `
CREATE OR REPLACE FUNCTION settle_commissions(
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
    PERFORM lock_subjects('shipment', ARRAY(SELECT subject_id FROM hold_parts WHERE part_id = ANY (p_order_ids)));
    FOR v_currency IN SELECT DISTINCT c FROM unnest(p_currencies) AS c LOOP
      v_accounts := v_accounts || (
        SELECT account_ids(array_agg(o.kind), array_agg(o.id), array_agg(o.purpose), v_currency, false)
          FROM unnest(p_currencies, p_payer_kinds, p_payer_ids, p_rider_ids, p_order_ids, p_merchant_ids)
            AS s (currency, payer_kind, payer_id, rider_id, order_id, merchant_id)
          LEFT JOIN holds h ON h.subject_kind = 'commission' AND h.subject_id = s.order_id AND h.state = 'placed'
         CROSS JOIN LATERAL (VALUES (s.payer_kind, s.payer_id, 'available'::account_purpose), (s.payer_kind, s.payer_id, 'held'),
                                    ('merchant', s.merchant_id, 'available'), ('merchant', s.merchant_id, 'held'),
                                    ('rider', coalesce(h.beneficiary_id, s.rider_id), 'available')) AS o (kind, id, purpose)
         WHERE s.currency = v_currency);
    END LOOP;
    PERFORM FROM accounts a WHERE a.id = ANY (v_accounts) AND a.floor_minor IS NOT NULL ORDER BY a.id FOR NO KEY UPDATE;
  END IF;
  FOR i IN 1 .. cardinality(p_op_keys) LOOP
    RETURN QUERY SELECT * FROM settle_commission(
      p_op_keys[i], p_request_hashes[i], p_modes[i], p_order_ids[i], p_merchant_ids[i], p_rider_ids[i],
      p_amounts[i], p_currencies[i], p_payer_kinds[i], p_payer_ids[i], p_fact_ids[i], p_fact_payloads[i], p_fact_headers[i]);
  END LOOP;
END $$;`,
}
