import type { SqlFunction } from '@svc/database'

/**
 * Leases up to p_limit due deliveries, the same share from every due lane, longest waiting lane first. A lane has at most
 * p_per_lane attempts in flight, fewer while it fails, and with an open breaker one per p_probe_ms.
 */
export const claimDeliveries: SqlFunction = {
  name: 'claim_deliveries',
  // Its result has other columns than that of an earlier release: it is replaced in one transaction, never away.
  sql: `
DROP FUNCTION IF EXISTS claim_deliveries(uuid, int, int, int, int, int);
CREATE FUNCTION claim_deliveries(
  p_lease uuid, p_limit int, p_lease_ms int, p_per_lane int, p_breaker_failures int, p_probe_ms int)
RETURNS TABLE (id uuid, merchant_id uuid, is_test bool, event_id uuid, event text, occurred_at timestamptz, body bytea,
  traceparent text, attempts int, to_live bool, url text, enabled bool, secret text, previous_secret text,
  previous_secret_expires_at timestamptz, signature_version text, test_url text, test_enabled bool, test_secret text,
  test_previous_secret text, test_previous_secret_expires_at timestamptz, test_signature_version text, now timestamptz)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz := app_now();
  v_lease_until timestamptz := v_now + p_lease_ms * interval '1 millisecond';
  v_merchants uuid[];
  v_tests bool[];
  v_rooms int[];
BEGIN
  SELECT array_agg(due.merchant_id), array_agg(due.is_test), array_agg(due.room) INTO v_merchants, v_tests, v_rooms
    FROM (SELECT l.merchant_id, l.is_test,
                 CASE WHEN e.merchant_id IS NULL OR NOT endpoint_enabled(e, l.is_test) THEN 0
                      WHEN l.consecutive_failures >= p_breaker_failures THEN 1
                      ELSE greatest(1, p_per_lane - l.consecutive_failures) END AS room
            FROM lane l LEFT JOIN endpoint e ON e.merchant_id = l.merchant_id
           WHERE l.due_at <= v_now ORDER BY l.due_at LIMIT p_limit FOR UPDATE OF l SKIP LOCKED) due;
  IF v_merchants IS NULL THEN RETURN; END IF;

  RETURN QUERY
  WITH due AS (SELECT * FROM unnest(v_merchants, v_tests, v_rooms) AS t (merchant_id, is_test, room)),
  picked AS (
    SELECT p.delivery_id FROM due CROSS JOIN LATERAL (
      SELECT q.delivery_id FROM queued_delivery q
       WHERE q.merchant_id = due.merchant_id AND q.is_test = due.is_test AND q.claimable_at <= v_now
       ORDER BY q.claimable_at
       LIMIT least(greatest(1, p_limit / cardinality(v_merchants)), greatest(0, due.room - (
         SELECT count(*) FROM queued_delivery f WHERE f.merchant_id = due.merchant_id AND f.is_test = due.is_test
            AND f.lease IS NOT NULL AND f.lease_until > v_now)))
       FOR UPDATE SKIP LOCKED) p),
  leased AS (
    UPDATE queued_delivery q SET lease = p_lease, lease_until = v_lease_until, claimable_at = v_lease_until
      FROM picked WHERE q.delivery_id = picked.delivery_id
    RETURNING q.delivery_id)
  SELECT d.id, d.merchant_id, d.is_test, d.event_id, d.event, d.occurred_at, d.body, d.traceparent, d.attempts,
         d.to_live, e.url, e.enabled, e.secret, e.previous_secret, e.previous_secret_expires_at, e.signature_version, e.test_url,
         e.test_enabled, e.test_secret, e.test_previous_secret, e.test_previous_secret_expires_at,
         e.test_signature_version, v_now
    FROM leased JOIN delivery d ON d.id = leased.delivery_id JOIN endpoint e ON e.merchant_id = d.merchant_id;

  UPDATE lane l
     SET open_until = seen.open_until,
         due_at = greatest(seen.open_until, CASE
           WHEN seen.room = 0 THEN 'infinity'
           WHEN seen.in_flight >= seen.room THEN seen.first_lease_end
           ELSE greatest(v_now, coalesce(seen.first_claimable, 'infinity')) END)
    FROM (SELECT due.merchant_id, due.is_test, due.room, f.in_flight, f.first_lease_end,
                 (SELECT min(q.claimable_at) FROM queued_delivery q WHERE q.merchant_id = due.merchant_id
                     AND q.is_test = due.is_test) AS first_claimable,
                 CASE WHEN o.consecutive_failures >= p_breaker_failures AND f.in_flight > 0
                      THEN v_now + p_probe_ms * interval '1 millisecond' ELSE o.open_until END AS open_until
            FROM unnest(v_merchants, v_tests, v_rooms) AS due (merchant_id, is_test, room)
            JOIN lane o ON o.merchant_id = due.merchant_id AND o.is_test = due.is_test
            CROSS JOIN LATERAL (
              SELECT count(*) AS in_flight, min(q.lease_until) AS first_lease_end FROM queued_delivery q
               WHERE q.merchant_id = due.merchant_id AND q.is_test = due.is_test
                 AND q.lease IS NOT NULL AND q.lease_until > v_now) f) seen
   WHERE l.merchant_id = seen.merchant_id AND l.is_test = seen.is_test;
END $$;`,
}
