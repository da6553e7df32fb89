import type { SqlFunction } from '@svc/database'

/**
 * Which leased deliveries of sandboxes meet a fault, each at most one and before its first attempt: the first of its
 * merchant that fits and is not used up, which it counts down. What is to be kept back is put off here, and its lease
 * ends; drop and duplicate are answered for as long as no attempt was recorded, for the process may have died.
 */
export const takeFaults: SqlFunction = {
  name: 'take_faults',
  sql: `
CREATE OR REPLACE FUNCTION take_faults(p_ids uuid[], p_lease uuid) RETURNS TABLE (delivery_id uuid, kind text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz := app_now();
  v_delivery record;
  v_fault record;
BEGIN
  -- Locks are taken as everywhere, deliveries by id, and before the first of them counts a fault down.
  PERFORM FROM delivery d WHERE d.id = ANY (p_ids) ORDER BY d.id FOR UPDATE;
  PERFORM FROM webhook_fault f
    WHERE f.merchant_id IN (SELECT d.merchant_id FROM delivery d
                             WHERE d.id = ANY (p_ids) AND d.is_test AND d.attempts = 0 AND d.fault IS NULL)
    ORDER BY f.merchant_id, f.position FOR UPDATE;
  FOR v_delivery IN
    SELECT d.id, d.merchant_id, d.event, d.fault FROM delivery d
     WHERE d.id = ANY (p_ids) AND d.is_test AND d.attempts = 0 AND d.requeued_at IS NULL
     ORDER BY d.merchant_id, d.occurred_at, d.id
  LOOP
    IF v_delivery.fault IS NOT NULL THEN
      IF v_delivery.fault IN ('drop', 'duplicate') THEN
        delivery_id := v_delivery.id; kind := v_delivery.fault; RETURN NEXT;
      END IF;
      CONTINUE;
    END IF;
    UPDATE webhook_fault f SET remaining = remaining - 1
     WHERE f.merchant_id = v_delivery.merchant_id AND f.position = (
       SELECT min(g.position) FROM webhook_fault g
        WHERE g.merchant_id = v_delivery.merchant_id AND g.remaining > 0
          AND (g.events = '{}' OR v_delivery.event = ANY (g.events)))
       AND f.remaining > 0
    RETURNING f.kind, f.delay_ms INTO v_fault;
    CONTINUE WHEN NOT FOUND;
    delivery_id := v_delivery.id; kind := v_fault.kind; RETURN NEXT;
    IF v_fault.kind IN ('drop', 'duplicate') THEN
      UPDATE delivery d SET fault = v_fault.kind WHERE d.id = v_delivery.id;
      CONTINUE;
    END IF;
    UPDATE delivery d SET fault = v_fault.kind, next_attempt_at = v_now + v_fault.delay_ms * interval '1 millisecond'
     WHERE d.id = v_delivery.id;
    UPDATE queued_delivery q
       SET lease = NULL, lease_until = NULL, claimable_at = v_now + v_fault.delay_ms * interval '1 millisecond',
           kept_back = v_fault.kind = 'reorder'
     WHERE q.delivery_id = v_delivery.id AND q.lease = p_lease;
    PERFORM wake_lanes(ARRAY[v_delivery.merchant_id], ARRAY[true], ARRAY[v_now + v_fault.delay_ms * interval '1 millisecond']);
  END LOOP;
END $$;`,
}
