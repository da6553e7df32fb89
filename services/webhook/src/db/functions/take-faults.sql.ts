import type { SqlFunction } from '@svc/database'

/**
 * Of these deliveries of sandboxes those that still have the lease, each with the fault that it meets, or null: at most one
 * and before its first attempt, the first of its merchant that fits and is not used up, which it counts down. What is to
 * be kept back is put off here, and its lease ends; drop and duplicate are answered for as long as no attempt was recorded,
 * for the process may have died. What another process has leased meanwhile is that one's alone: it is not judged here.
 */
export const takeFaults: SqlFunction = {
  name: 'take_faults',
  sql: `
CREATE OR REPLACE FUNCTION take_faults(p_ids uuid[], p_lease uuid) RETURNS TABLE (delivery_id uuid, kind text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz := app_now();
  v_until timestamptz;
  v_delivery record;
  v_fault record;
BEGIN
  -- Locks are taken as everywhere, by id, and the lease is held before a fault is counted down for it.
  PERFORM FROM delivery d WHERE d.id = ANY (p_ids) ORDER BY d.id FOR UPDATE;
  PERFORM FROM queued_delivery q WHERE q.delivery_id = ANY (p_ids) AND q.lease = p_lease ORDER BY q.delivery_id FOR UPDATE;
  -- One after the other, and not while the list is replaced: each sees what is left of it.
  PERFORM pg_advisory_xact_lock(hashtextextended('webhook_fault ' || untried.merchant_id, 0))
     FROM (SELECT DISTINCT d.merchant_id FROM delivery d JOIN queued_delivery q ON q.delivery_id = d.id
            WHERE d.id = ANY (p_ids) AND q.lease = p_lease AND d.fault IS NULL ORDER BY d.merchant_id) untried;
  FOR v_delivery IN
    SELECT d.id, d.merchant_id, d.event, d.fault, d.is_test AND d.attempts = 0 AND d.requeued_at IS NULL AS is_untried
      FROM delivery d JOIN queued_delivery q ON q.delivery_id = d.id
     WHERE d.id = ANY (p_ids) AND q.lease = p_lease
     ORDER BY d.merchant_id, d.occurred_at, d.id
  LOOP
    delivery_id := v_delivery.id;
    kind := CASE WHEN v_delivery.is_untried AND v_delivery.fault IN ('drop', 'duplicate') THEN v_delivery.fault END;
    IF v_delivery.is_untried AND v_delivery.fault IS NULL THEN
      UPDATE webhook_fault f SET remaining = remaining - 1
       WHERE f.merchant_id = v_delivery.merchant_id AND f.position = (
         SELECT min(g.position) FROM webhook_fault g
          WHERE g.merchant_id = v_delivery.merchant_id AND g.remaining > 0
            AND (g.events = '{}' OR v_delivery.event = ANY (g.events)))
      RETURNING f.kind, f.delay_ms INTO v_fault;
      kind := v_fault.kind;
    END IF;
    RETURN NEXT;
    CONTINUE WHEN kind IS NULL OR v_delivery.fault IS NOT NULL;
    UPDATE delivery d SET fault = v_fault.kind WHERE d.id = v_delivery.id;
    CONTINUE WHEN v_fault.kind IN ('drop', 'duplicate');
    v_until := v_now + v_fault.delay_ms * interval '1 millisecond';
    UPDATE delivery d SET next_attempt_at = v_until WHERE d.id = v_delivery.id;
    UPDATE queued_delivery q
       SET lease = NULL, lease_until = NULL, claimable_at = v_until, kept_back = v_fault.kind = 'reorder'
     WHERE q.delivery_id = v_delivery.id;
    PERFORM wake_lanes(ARRAY[v_delivery.merchant_id], ARRAY[true], ARRAY[v_until]);
  END LOOP;
END $$;`,
}
