import { SqlMigration, tenantTableSql } from '@svc/database'

const service = 'webhook'

/** Its functions run without JIT: compiling their plans would take many times as long as running them. */
export class Deliveries extends SqlMigration {
  override up() {
    this.addSql(`
CREATE TABLE delivery (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  is_test bool NOT NULL,
  event_id uuid NOT NULL,
  event text NOT NULL,
  order_id uuid,
  occurred_at timestamptz NOT NULL,
  body bytea NOT NULL,
  traceparent text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'dead')),
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  last_status_code int,
  last_error text,
  url text,
  created_at timestamptz NOT NULL,
  succeeded_at timestamptz,
  UNIQUE (merchant_id, event_id),
  CHECK ((next_attempt_at IS NOT NULL) = (status = 'pending'))) WITH (fillfactor = 80);
COMMENT ON TABLE delivery IS 'What an attempt changes is in no index, so that the change stays within the page.';
COMMENT ON COLUMN delivery.body IS 'Frozen when the row is made: every attempt sends these bytes.';
CREATE INDEX delivery_newest ON delivery (merchant_id, created_at DESC, id DESC);
CREATE INDEX delivery_of_order ON delivery (merchant_id, order_id);
CREATE INDEX delivery_age ON delivery USING brin (created_at);

CREATE TABLE queued_delivery (
  delivery_id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  is_test bool NOT NULL,
  claimable_at timestamptz NOT NULL,
  lease uuid,
  lease_until timestamptz) WITH (autovacuum_vacuum_scale_factor = 0.02);
COMMENT ON TABLE queued_delivery IS 'One narrow row per pending delivery. Locks are taken in the order delivery, queued_delivery, lane.';
COMMENT ON COLUMN queued_delivery.claimable_at IS 'next_attempt_at, or the end of the lease while an attempt runs.';
CREATE INDEX queued_delivery_next ON queued_delivery (merchant_id, is_test, claimable_at);
CREATE INDEX queued_delivery_in_flight ON queued_delivery (merchant_id, is_test) WHERE lease IS NOT NULL;

CREATE TABLE attempt (
  id uuid PRIMARY KEY,
  delivery_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  attempt int NOT NULL,
  at timestamptz NOT NULL,
  duration_ms int NOT NULL,
  status_code int,
  error text,
  response_snippet text);
COMMENT ON COLUMN attempt.id IS 'The X-Service-Delivery of the request.';
COMMENT ON COLUMN attempt.delivery_id IS 'No foreign key: a result is logged by the statement that updates its delivery.';
CREATE INDEX attempt_of_delivery ON attempt (delivery_id);

CREATE TABLE lane (
  merchant_id uuid NOT NULL,
  is_test bool NOT NULL,
  due_at timestamptz NOT NULL,
  consecutive_failures int NOT NULL DEFAULT 0,
  open_until timestamptz,
  PRIMARY KEY (merchant_id, is_test));
COMMENT ON TABLE lane IS 'The queue of one endpoint and environment. Whoever makes a delivery claimable lowers due_at in the same
transaction; only a claim, which holds the row, raises it: so no wake-up is lost.';
COMMENT ON COLUMN lane.open_until IS 'The breaker is open: no attempt before.';
CREATE INDEX lane_due ON lane (due_at);

CREATE TABLE alert (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  merchant_id uuid NOT NULL,
  is_test bool NOT NULL,
  kind text NOT NULL CHECK (kind IN ('first_dead', 'endpoint_failing')),
  url text,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  next_at timestamptz NOT NULL DEFAULT app_now(),
  tries int NOT NULL DEFAULT 0,
  sent_at timestamptz,
  UNIQUE (merchant_id, is_test, kind));
COMMENT ON COLUMN alert.id IS 'The idempotency key of its mail.';
CREATE INDEX alert_todo ON alert (next_at) WHERE sent_at IS NULL;
`)
    this.addSql(tenantTableSql({ service, table: 'delivery', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'queued_delivery', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'attempt', appGrants: 'SELECT' }))
    this.addSql(tenantTableSql({ service, table: 'lane', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'alert', appGrants: 'SELECT, DELETE' }))
    this.addSql(deliveryBody)
    this.addSql(wakeLanes)
    this.addSql(appendEvents)
    this.addSql(claimDeliveries)
    this.addSql(completeDeliveries)
  }
}

/** A body is the JSON of its event with the id of the delivery in front. */
const deliveryBody = `
CREATE FUNCTION delivery_body(p_id uuid, p_envelope text) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT convert_to('{"delivery_id":"' || p_id || '",' || substr(p_envelope, 2), 'UTF8');
$$;`

/** Lanes are always locked in the order of their keys, so that no two transactions wait for each other. */
const wakeLanes = `
CREATE FUNCTION wake_lanes(p_merchants uuid[], p_tests bool[], p_due timestamptz[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO lane (merchant_id, is_test, due_at)
  SELECT merchant_id, is_test, min(due) FROM unnest(p_merchants, p_tests, p_due) AS t (merchant_id, is_test, due)
   GROUP BY merchant_id, is_test ORDER BY merchant_id, is_test
  ON CONFLICT (merchant_id, is_test) DO UPDATE SET due_at = greatest(excluded.due_at, lane.open_until)
   WHERE lane.due_at > greatest(excluded.due_at, lane.open_until);
$$;`

/**
 * Moves order streams on, appends events to the log and makes a delivery of each that an enabled endpoint wants. The
 * locks that merchants share are taken last, in the order of their keys, and held for the rest of the commit only.
 */
const appendEvents = `
CREATE FUNCTION append_events(p_orders uuid[], p_versions int[], p_sequences int[], p_event_orders uuid[],
  p_event_sequences int[], p_merchants uuid[], p_tests bool[], p_event_ids uuid[], p_events text[], p_envelopes text[],
  p_traceparents text[], p_times timestamptz[], p_deliver bool[])
RETURNS void LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_now timestamptz := app_now();
BEGIN
  WITH moved AS (
    UPDATE order_stream s SET last_version = t.version, last_sequence = t.sequence
      FROM unnest(p_orders, p_versions, p_sequences) AS t (order_id, version, sequence) WHERE s.order_id = t.order_id
    RETURNING s.order_id, s.last_version)
  DELETE FROM held_fact h USING moved WHERE h.order_id = moved.order_id AND h.version <= moved.last_version;
  IF cardinality(p_event_ids) = 0 THEN RETURN; END IF;

  WITH made AS (
  INSERT INTO delivery (id, merchant_id, is_test, event_id, event, order_id, occurred_at, traceparent, body,
                        next_attempt_at, created_at)
  SELECT t.delivery_id, t.merchant_id, t.is_test, t.event_id, t.event, t.order_id, t.occurred_at, t.traceparent,
         delivery_body(t.delivery_id, t.envelope), v_now, v_now
    FROM (SELECT *, gen_random_uuid() AS delivery_id
            FROM unnest(p_merchants, p_tests, p_event_ids, p_events, p_event_orders, p_times, p_traceparents, p_envelopes,
                        p_deliver)
              AS u (merchant_id, is_test, event_id, event, order_id, occurred_at, traceparent, envelope, deliver)) t
    JOIN endpoint e ON e.merchant_id = t.merchant_id AND e.enabled AND t.event = ANY (e.events)
   WHERE t.deliver
  ON CONFLICT (merchant_id, event_id) DO NOTHING
  RETURNING id, merchant_id, is_test)
  INSERT INTO queued_delivery (delivery_id, merchant_id, is_test, claimable_at)
  SELECT id, merchant_id, is_test, v_now FROM made;

  WITH counted AS (
    SELECT merchant_id, count(*) AS events FROM unnest(p_merchants) AS merchant_id GROUP BY merchant_id),
  moved AS (
    INSERT INTO event_cursor AS c (merchant_id, last_cursor) SELECT merchant_id, events FROM counted ORDER BY merchant_id
    ON CONFLICT (merchant_id) DO UPDATE SET last_cursor = c.last_cursor + excluded.last_cursor
    RETURNING c.merchant_id, c.last_cursor)
  INSERT INTO event_log (merchant_id, cursor, is_test, order_id, sequence, event_id, event, envelope, traceparent,
                         occurred_at)
  SELECT t.merchant_id,
         moved.last_cursor - counted.events + row_number() OVER (PARTITION BY t.merchant_id ORDER BY t.position),
         t.is_test, t.order_id, t.sequence, t.event_id, t.event, t.envelope, t.traceparent, t.occurred_at
    FROM unnest(p_merchants, p_tests, p_event_orders, p_event_sequences, p_event_ids, p_events, p_envelopes,
                p_traceparents, p_times) WITH ORDINALITY
      AS t (merchant_id, is_test, order_id, sequence, event_id, event, envelope, traceparent, occurred_at, position)
    JOIN counted ON counted.merchant_id = t.merchant_id
    JOIN moved ON moved.merchant_id = t.merchant_id;

  PERFORM wake_lanes(array_agg(t.merchant_id), array_agg(t.is_test), array_agg(v_now))
     FROM unnest(p_merchants, p_tests, p_deliver) AS t (merchant_id, is_test, deliver)
     JOIN endpoint e ON e.merchant_id = t.merchant_id AND e.enabled WHERE t.deliver;
END $$;`

/**
 * Leases up to p_limit due deliveries, the same share from every due lane, longest waiting lane first. A lane has at most
 * p_per_lane attempts in flight, fewer while it fails, and with an open breaker one per p_probe_ms.
 */
const claimDeliveries = `
CREATE FUNCTION claim_deliveries(
  p_lease uuid, p_limit int, p_lease_ms int, p_per_lane int, p_breaker_failures int, p_probe_ms int)
RETURNS TABLE (id uuid, merchant_id uuid, is_test bool, event_id uuid, event text, occurred_at timestamptz, body bytea,
  traceparent text, attempts int, url text, secret text, previous_secret text, previous_secret_expires_at timestamptz,
  test_url text, test_secret text, signature_version text, now timestamptz)
LANGUAGE plpgsql SET jit = off AS $$
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
                 CASE WHEN NOT coalesce(e.enabled, false) THEN 0
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
         e.url, e.secret, e.previous_secret, e.previous_secret_expires_at, e.test_url, e.test_secret,
         e.signature_version, v_now
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
END $$;`

/**
 * Stores results, in the order in which they came, and returns the deliveries whose result counted: those that still have
 * the lease and the number of attempts that the result was judged for.
 */
const completeDeliveries = `
CREATE FUNCTION complete_deliveries(p_ids uuid[], p_leases uuid[], p_attempts int[], p_statuses text[],
  p_delays_ms int[], p_codes int[], p_errors text[], p_urls text[], p_attempt_ids uuid[], p_ats timestamptz[],
  p_durations_ms int[], p_snippets text[], p_breaker_failures int, p_probe_ms int, p_alert_failures int)
RETURNS SETOF uuid LANGUAGE plpgsql SET jit = off AS $$
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

  WITH result AS (
    SELECT d.merchant_id, d.is_test, r.status, r.error, r.url, r.position,
           max(r.position) FILTER (WHERE r.status = 'succeeded') OVER (PARTITION BY d.merchant_id, d.is_test) AS last_success
      FROM unnest(p_ids, p_statuses, p_errors, p_urls) WITH ORDINALITY AS r (id, status, error, url, position)
      JOIN delivery d ON d.id = r.id WHERE r.id = ANY (v_done)),
  streak AS (
    SELECT merchant_id, is_test, max(last_success) IS NOT NULL AS recovered,
           count(*) FILTER (WHERE position > coalesce(last_success, 0)) AS failures,
           bool_or(status = 'dead') AS died,
           (array_agg(error ORDER BY position DESC))[1] AS error, max(url) AS url
      FROM result GROUP BY merchant_id, is_test),
  locked AS (
    SELECT l.merchant_id, l.is_test, l.consecutive_failures AS before, l.open_until, l.due_at
      FROM lane l JOIN streak s ON s.merchant_id = l.merchant_id AND s.is_test = l.is_test
     ORDER BY l.merchant_id, l.is_test FOR UPDATE OF l),
  counted AS (
    SELECT s.*, k.before, k.open_until AS was_open_until, k.due_at AS was_due_at,
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
    UPDATE lane l SET consecutive_failures = n.after, open_until = n.open_until, due_at = n.due_at
      FROM next n WHERE l.merchant_id = n.merchant_id AND l.is_test = n.is_test
       AND (n.before, n.was_open_until, n.was_due_at) IS DISTINCT FROM (n.after, n.open_until, n.due_at)),
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
END $$;`
