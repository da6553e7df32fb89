import type { SqlFunction } from '@svc/database'
import { WITHHELD } from '../../domain/retry-schedule.ts'

/**
 * Stores results, in the order in which they came, and returns the deliveries whose result counted: those that still have
 * the lease and the number of attempts that the result was judged for. What was withheld says nothing of the endpoint.
 */
export const completeDeliveries: SqlFunction = {
  name: 'complete_deliveries',
  sql: `
CREATE OR REPLACE FUNCTION complete_deliveries(p_ids uuid[], p_leases uuid[], p_attempts int[], p_statuses text[],
  p_delays_ms int[], p_codes int[], p_errors text[], p_urls text[], p_attempt_ids uuid[], p_ats timestamptz[],
  p_durations_ms int[], p_snippets text[], p_breaker_failures int, p_probe_ms int, p_alert_failures int)
RETURNS SETOF uuid LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
DECLARE
  v_now timestamptz := app_now();
  v_done uuid[];
BEGIN
  PERFORM FROM delivery WHERE id = ANY (p_ids) ORDER BY id FOR UPDATE;
  WITH result AS (
    SELECT r.* FROM unnest(p_ids, p_leases, p_attempts, p_statuses, p_delays_ms) AS r (id, lease, attempt, status, delay_ms)
      JOIN delivery d ON d.id = r.id AND d.attempts = r.attempt - 1),
  settled AS (
    DELETE FROM queued_delivery q USING result r
     WHERE q.delivery_id = r.id AND q.lease = r.lease AND r.status <> 'pending' RETURNING r.id),
  waiting AS (
    UPDATE queued_delivery q
       SET lease = NULL, lease_until = NULL, claimable_at = v_now + r.delay_ms * interval '1 millisecond'
      FROM result r WHERE q.delivery_id = r.id AND q.lease = r.lease AND r.status = 'pending' RETURNING r.id)
  SELECT array_agg(id) INTO v_done FROM (SELECT id FROM settled UNION ALL SELECT id FROM waiting) done;
  IF v_done IS NULL THEN RETURN; END IF;

  WITH result AS (
    SELECT * FROM unnest(p_ids, p_attempts, p_statuses, p_delays_ms, p_codes, p_errors, p_urls, p_attempt_ids, p_ats,
                         p_durations_ms, p_snippets)
      AS t (id, attempt, status, delay_ms, code, error, url, attempt_id, at, duration_ms, snippet)
     WHERE id = ANY (v_done)),
  done AS (
    UPDATE delivery d
       SET status = r.status, attempts = r.attempt,
           next_attempt_at = CASE WHEN r.status = 'pending' THEN v_now + r.delay_ms * interval '1 millisecond' END,
           last_status_code = r.code, last_error = r.error, url = r.url,
           succeeded_at = CASE WHEN r.status = 'succeeded' THEN v_now END
      FROM result r WHERE d.id = r.id
    RETURNING d.id, d.merchant_id)
  INSERT INTO attempt (id, delivery_id, merchant_id, attempt, at, duration_ms, status_code, error, response_snippet)
  SELECT r.attempt_id, r.id, done.merchant_id, r.attempt, r.at, r.duration_ms, r.code, r.error, r.snippet
    FROM result r JOIN done ON done.id = r.id;

  -- What was to be overtaken has been.
  UPDATE queued_delivery q SET claimable_at = v_now, kept_back = NULL
    FROM delivery d, delivery k
   WHERE d.id = ANY (v_done) AND d.is_test AND d.status = 'succeeded'
     AND q.merchant_id = d.merchant_id AND q.kept_back AND q.lease IS NULL AND q.delivery_id <> ALL (v_done)
     AND k.id = q.delivery_id AND k.occurred_at <= d.occurred_at;

  WITH result AS (
    SELECT d.merchant_id, d.is_test, r.status, r.error, r.url, coalesce(r.error = '${WITHHELD}', false) AS withheld,
           r.position,
           max(r.position) FILTER (WHERE r.status = 'succeeded') OVER (PARTITION BY d.merchant_id, d.is_test) AS last_success
      FROM unnest(p_ids, p_statuses, p_errors, p_urls) WITH ORDINALITY AS r (id, status, error, url, position)
      JOIN delivery d ON d.id = r.id WHERE r.id = ANY (v_done)),
  streak AS (
    SELECT merchant_id, is_test, max(last_success) IS NOT NULL AS recovered,
           count(*) FILTER (WHERE position > coalesce(last_success, 0) AND NOT withheld) AS failures,
           bool_or(status = 'dead' AND NOT withheld) AS died,
           (array_agg(error ORDER BY position DESC) FILTER (WHERE NOT withheld))[1] AS error, max(url) AS url
      FROM result GROUP BY merchant_id, is_test),
  locked AS (
    SELECT l.merchant_id, l.is_test, l.consecutive_failures AS before, l.open_until, l.due_at, l.failing_since
      FROM lane l JOIN streak s ON s.merchant_id = l.merchant_id AND s.is_test = l.is_test
     ORDER BY l.merchant_id, l.is_test FOR UPDATE OF l),
  counted AS (
    SELECT s.*, k.before, k.open_until AS was_open_until, k.due_at AS was_due_at,
           k.failing_since AS was_failing_since,
           CASE WHEN s.failures = 0 THEN CASE WHEN s.recovered THEN NULL ELSE k.failing_since END
                WHEN s.recovered THEN v_now ELSE coalesce(k.failing_since, v_now) END
             AS failing_since,
           CASE WHEN s.recovered THEN s.failures ELSE k.before + s.failures END AS after,
           (SELECT min(q.claimable_at) FROM queued_delivery q WHERE q.merchant_id = s.merchant_id
               AND q.is_test = s.is_test) AS first_claimable
      FROM streak s JOIN locked k ON k.merchant_id = s.merchant_id AND k.is_test = s.is_test),
  opened AS (
    SELECT *, CASE WHEN after < p_breaker_failures THEN NULL
                   WHEN NOT recovered AND was_open_until > v_now THEN was_open_until
                   ELSE v_now + p_probe_ms * interval '1 millisecond' END AS open_until
      FROM counted),
  next AS (
    SELECT *, CASE WHEN open_until IS NULL AND was_open_until IS NOT NULL THEN v_now
                   ELSE greatest(least(was_due_at, first_claimable), open_until) END AS due_at
      FROM opened),
  moved AS (
    UPDATE lane l SET consecutive_failures = n.after, open_until = n.open_until, due_at = n.due_at, failing_since = n.failing_since
      FROM next n WHERE l.merchant_id = n.merchant_id AND l.is_test = n.is_test
       AND (n.before, n.was_open_until, n.was_due_at, n.was_failing_since)
           IS DISTINCT FROM (n.after, n.open_until, n.due_at, n.failing_since)),
  recovered AS (
    DELETE FROM alert a USING next n
     WHERE a.merchant_id = n.merchant_id AND a.is_test = n.is_test AND a.sent_at IS NOT NULL
       AND n.recovered AND n.before >= p_alert_failures)
  INSERT INTO alert (merchant_id, is_test, kind, url, last_error)
  SELECT n.merchant_id, n.is_test, k.kind, n.url, n.error FROM next n
    CROSS JOIN LATERAL (VALUES ('first_dead', n.died), ('endpoint_failing', n.after >= p_alert_failures)) AS k (kind, raised)
   WHERE k.raised
  ON CONFLICT (merchant_id, is_test, kind) DO NOTHING;

  RETURN QUERY SELECT unnest(v_done);
END $$;`,
}
