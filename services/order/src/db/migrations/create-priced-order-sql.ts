/**
 * The create_order() with which an order is priced and given to a rider from the start; the one without stays for
 * processes of the release before, which run beside ours during an upgrade.
 *
 * create_order() stores an order, its fact order.created and the reply to its idempotency key in one statement, hence
 * one transaction and one round trip. It decides nothing but who came first and whether the order is still in time.
 * With p_rider it also leaves the intent 'assign', whose payload that is.
 *
 * outcome: `created`; `replayed` with the stored reply; `idempotency_conflict`; `taken` when another order has the
 * natural key; `stale` when the clock has passed p_valid_until. Only `created` leaves anything behind.
 */
export const createPricedOrderSql: string = `
CREATE FUNCTION create_order(
  p_id uuid, p_merchant_id uuid, p_is_test boolean, p_source text, p_external_order_id text, p_unified_json json,
  p_pickup_lat double precision, p_pickup_lng double precision,
  p_dropoff_lat double precision, p_dropoff_lng double precision,
  p_scheduled_pickup_at timestamptz, p_delivery_window_start timestamptz, p_delivery_window_end timestamptz,
  p_vehicle_type_hint text, p_vehicle_type_source text, p_tracking_token text, p_request_fingerprint bytea,
  p_valid_until timestamptz,
  p_event_id uuid, p_headers jsonb, p_payload bytea,
  p_route text, p_key text, p_request_hash bytea, p_reply bytea,
  p_price jsonb, p_rider jsonb)
RETURNS TABLE (outcome text, at timestamptz, stored_reply bytea)
LANGUAGE plpgsql AS $$
DECLARE
  -- Milliseconds are what clients see; a finer time would not survive a cursor made from it.
  v_now timestamptz := date_trunc('milliseconds', app_now());
  v_earlier idempotency;
BEGIN
  PERFORM set_config('app.tenant_id', p_merchant_id::text, true);
  IF v_now >= p_valid_until THEN
    RETURN QUERY SELECT 'stale', v_now, NULL::bytea;
    RETURN;
  END IF;

  IF p_key IS NOT NULL THEN
    -- Waits for a concurrent request with the same key, at most lock_timeout.
    INSERT INTO idempotency AS i (merchant_id, is_test, route, key, request_hash, reply, resource_id, created_at, expires_at)
    VALUES (p_merchant_id, p_is_test, p_route, p_key, p_request_hash, coalesce(p_reply, p_payload), p_id, v_now, v_now + interval '24 hours')
    ON CONFLICT (merchant_id, is_test, route, key) DO UPDATE
      SET request_hash = excluded.request_hash, reply = excluded.reply, resource_id = excluded.resource_id,
          created_at = excluded.created_at, expires_at = excluded.expires_at
      WHERE i.expires_at <= v_now;
    IF NOT FOUND THEN
      SELECT i.* INTO v_earlier FROM idempotency i
       WHERE i.merchant_id = p_merchant_id AND i.is_test = p_is_test AND i.route = p_route AND i.key = p_key;
      IF v_earlier.request_hash = p_request_hash THEN
        RETURN QUERY SELECT 'replayed', v_earlier.created_at, v_earlier.reply;
      ELSE
        RETURN QUERY SELECT 'idempotency_conflict', v_now, NULL::bytea;
      END IF;
      RETURN;
    END IF;
  END IF;

  INSERT INTO orders (id, merchant_id, is_test, source, external_order_id, status, unified_json,
    pickup_lat, pickup_lng, dropoff_lat, dropoff_lng, scheduled_pickup_at, delivery_window_start, delivery_window_end,
    vehicle_type_hint, vehicle_type_source, tracking_token, request_fingerprint,
    fee_minor, currency, quote_id, rate_card_id, rate_card_version, created_at, updated_at)
  VALUES (p_id, p_merchant_id, p_is_test, p_source, p_external_order_id, 'pending', p_unified_json,
    p_pickup_lat, p_pickup_lng, p_dropoff_lat, p_dropoff_lng, p_scheduled_pickup_at, p_delivery_window_start, p_delivery_window_end,
    p_vehicle_type_hint, p_vehicle_type_source, p_tracking_token, p_request_fingerprint,
    (p_price ->> 'fee_minor')::bigint, p_price ->> 'currency', (p_price ->> 'quote_id')::uuid,
    (p_price ->> 'rate_card_id')::uuid, (p_price ->> 'rate_card_version')::int, v_now, v_now)
  ON CONFLICT (merchant_id, is_test, source, external_order_id) DO NOTHING;
  IF NOT FOUND THEN
    DELETE FROM idempotency i
     WHERE p_key IS NOT NULL AND i.merchant_id = p_merchant_id AND i.is_test = p_is_test AND i.route = p_route AND i.key = p_key;
    RETURN QUERY SELECT 'taken', v_now, NULL::bytea;
    RETURN;
  END IF;

  INSERT INTO outbox (event_id, shard, aggregate_type, aggregate_id, aggregate_version, merchant_id, is_test, type, payload, headers, created_at)
  VALUES (p_event_id, outbox_shard(p_id), 'order', p_id, 1, p_merchant_id, p_is_test, 'order.created', p_payload, p_headers, v_now);
  IF p_rider IS NOT NULL THEN
    -- Whoever creates the order carries it out; the workers come later, should that fail.
    INSERT INTO intent (id, merchant_id, kind, subject_id, attempt, payload, state, next_at, created_at)
    VALUES (gen_random_uuid(), p_merchant_id, 'assign', p_id, 1, p_rider, 'pending', v_now + interval '5 seconds', v_now);
  END IF;
  RETURN QUERY SELECT 'created', v_now, NULL::bytea;
END $$;
`
