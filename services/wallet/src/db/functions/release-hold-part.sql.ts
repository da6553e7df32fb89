import type { SqlFunction } from '@svc/database'

/**
 * Gives back what is held for one part of a hold, once; nothing where the hold is not open. Outcomes as of
 * post_operation().
 */
export const releaseHoldPart: SqlFunction = {
  name: 'release_hold_part',
  sql: `
CREATE OR REPLACE FUNCTION release_hold_part(p_part_id uuid)
RETURNS TABLE (outcome text, is_replay boolean, result jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_op_key text := 'hold_part:' || p_part_id;
  v_part hold_parts;
  v_hold holds;
  v_amount_minor bigint;
  v_posted record;
BEGIN
  SELECT p.* INTO v_part FROM hold_parts p WHERE p.part_id = p_part_id;
  PERFORM lock_subjects(v_part.subject_kind, ARRAY[v_part.subject_id]) WHERE v_part.part_id IS NOT NULL;
  RETURN QUERY SELECT * FROM earlier_operation(v_op_key, ''::bytea, 'hold_part', p_part_id::text);
  IF FOUND THEN RETURN; END IF;
  SELECT h.* INTO v_hold FROM holds h
   WHERE h.subject_kind = v_part.subject_kind AND h.subject_id = v_part.subject_id AND h.state = 'placed';
  v_amount_minor := least(v_part.amount_minor, v_hold.amount_minor - v_hold.captured_minor - v_hold.released_minor);
  IF v_hold.id IS NULL OR v_amount_minor <= 0 THEN
    RETURN QUERY SELECT 'declined', false, '{"reason": "nothing_held"}'::jsonb;
    RETURN;
  END IF;

  SELECT * INTO v_posted FROM post_operation(
    v_op_key, ''::bytea, 'hold_part', p_part_id::text, v_hold.merchant_id, v_hold.is_test, v_hold.currency, p_part_id,
    jsonb_build_object('shipment_id', v_part.subject_id), '{"state": "returned"}',
    ARRAY[v_hold.payer_kind, v_hold.payer_kind], ARRAY[v_hold.payer_id, v_hold.payer_id], ARRAY['held', 'available']::account_purpose[],
    ARRAY['shipment_release', 'shipment_release']::entry_type[], ARRAY[-v_amount_minor, v_amount_minor],
    NULL, NULL, NULL, NULL);
  IF v_posted.outcome = 'applied' AND NOT v_posted.is_replay THEN
    UPDATE holds SET released_minor = released_minor + v_amount_minor,
           state = CASE WHEN captured_minor + released_minor + v_amount_minor < amount_minor THEN 'placed'
                        WHEN captured_minor = 0 THEN 'voided' ELSE 'closed' END
     WHERE id = v_hold.id;
  END IF;
  RETURN QUERY SELECT v_posted.outcome, v_posted.is_replay, v_posted.result;
END $$;`,
}
