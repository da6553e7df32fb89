import type { SqlFunction } from '@svc/database'

/**
 * Moves streams on, appends events to the log and makes a delivery of each that an enabled endpoint wants. The locks that
 * merchants share are taken last, in the order of their keys, and held for the rest of the commit only. Like the other
 * large functions it runs without JIT: compiling its plans would take many times as long as running them. And without
 * reading tables whole: a connection keeps its plans, and those that it made while a table was small would serve the large one.
 */
export const appendEvents: SqlFunction = {
  name: 'append_events',
  sql: `
CREATE OR REPLACE FUNCTION append_events(p_streams uuid[], p_versions int[], p_sequences int[], p_event_orders uuid[],
  p_event_subjects uuid[], p_event_sequences int[], p_merchants uuid[], p_tests bool[], p_event_ids uuid[],
  p_events text[], p_envelopes text[], p_traceparents text[], p_times timestamptz[], p_deliver bool[])
RETURNS void LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
DECLARE
  v_now timestamptz := app_now();
BEGIN
  WITH moved AS (
    UPDATE order_stream s SET last_version = t.version, last_sequence = t.sequence
      FROM unnest(p_streams, p_versions, p_sequences) AS t (order_id, version, sequence) WHERE s.order_id = t.order_id
    RETURNING s.order_id, s.last_version)
  DELETE FROM held_fact h USING moved WHERE h.order_id = moved.order_id AND h.version <= moved.last_version;
  IF cardinality(p_event_ids) = 0 THEN RETURN; END IF;

  WITH made AS (
  INSERT INTO delivery (id, merchant_id, is_test, event_id, event, order_id, occurred_at, traceparent, body,
                        next_attempt_at, created_at, to_live)
  SELECT t.delivery_id, t.merchant_id, t.is_test, t.event_id, t.event, t.order_id, t.occurred_at, t.traceparent,
         delivery_body(t.delivery_id, t.envelope), v_now, v_now, NOT t.is_test OR e.test_url IS NULL
    FROM (SELECT *, gen_random_uuid() AS delivery_id
            FROM unnest(p_merchants, p_tests, p_event_ids, p_events, p_event_orders, p_times, p_traceparents, p_envelopes,
                        p_deliver)
              AS u (merchant_id, is_test, event_id, event, order_id, occurred_at, traceparent, envelope, deliver)) t
    JOIN endpoint e ON e.merchant_id = t.merchant_id AND endpoint_wants(e, t.is_test, t.event)
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
  INSERT INTO event_log (merchant_id, cursor, is_test, order_id, subject_id, sequence, event_id, event, envelope,
                         traceparent, occurred_at)
  SELECT t.merchant_id,
         moved.last_cursor - counted.events + row_number() OVER (PARTITION BY t.merchant_id ORDER BY t.position),
         t.is_test, t.order_id, t.subject_id, t.sequence, t.event_id, t.event, t.envelope, t.traceparent, t.occurred_at
    FROM unnest(p_merchants, p_tests, p_event_orders, p_event_subjects, p_event_sequences, p_event_ids, p_events,
                p_envelopes, p_traceparents, p_times) WITH ORDINALITY
      AS t (merchant_id, is_test, order_id, subject_id, sequence, event_id, event, envelope, traceparent, occurred_at,
            position)
    JOIN counted ON counted.merchant_id = t.merchant_id
    JOIN moved ON moved.merchant_id = t.merchant_id;

  PERFORM wake_lanes(array_agg(t.merchant_id), array_agg(t.is_test), array_agg(v_now))
     FROM unnest(p_merchants, p_tests, p_deliver) AS t (merchant_id, is_test, deliver)
     JOIN endpoint e ON e.merchant_id = t.merchant_id AND endpoint_enabled(e, t.is_test) WHERE t.deliver;
END $$;`,
}
