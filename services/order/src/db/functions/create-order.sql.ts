import type { SqlFunction } from '@svc/database'
import type { NewOrder } from '../../domain/new-order.ts'
import type { OrderFields } from '../../domain/order.ts'

type SqlType =
  | 'uuid'
  | 'boolean'
  | 'text'
  | 'json'
  | 'jsonb'
  | 'bytea'
  | 'int'
  | 'bigint'
  | 'double precision'
  | 'timestamptz'

/**
 * Every field of an order: the type of its parameter, or 'later' where a default of the table or a later change fills it. From
 * this list come the parameters, the INSERT and the arguments of create_order().
 */
export const STORED: Readonly<Record<keyof OrderFields, SqlType | 'later'>> = {
  id: 'uuid',
  merchantId: 'uuid',
  isTest: 'boolean',
  source: 'text',
  externalOrderId: 'text',
  status: 'text',
  paymentVerified: 'later',
  unifiedJson: 'json',
  riderId: 'later',
  riderName: 'later',
  riderPhone: 'later',
  riderVehicleType: 'later',
  riderActed: 'later',
  pickupLat: 'double precision',
  pickupLng: 'double precision',
  dropoffLat: 'double precision',
  dropoffLng: 'double precision',
  scheduledPickupAt: 'timestamptz',
  deliveryWindowStart: 'timestamptz',
  deliveryWindowEnd: 'timestamptz',
  vehicleTypeHint: 'text',
  vehicleTypeSource: 'text',
  trackingToken: 'text',
  eta: 'later',
  announcedEta: 'later',
  feeMinor: 'bigint',
  currency: 'text',
  quoteId: 'uuid',
  rateCardId: 'uuid',
  rateCardVersion: 'int',
  cancelledAt: 'later',
  terminalAt: 'later',
  settlingId: 'later',
  commissionState: 'later',
  commissionAttempt: 'later',
  settlementAttempts: 'later',
  requestFingerprint: 'bytea',
  shipmentId: 'later',
  shipmentRow: 'later',
  version: 'later',
  assignmentVersion: 'later',
  createdAt: 'later',
  updatedAt: 'later',
}

/** A row of a shipment has these from the start. */
export const OF_A_SHIPMENT = { shipmentId: 'uuid', shipmentRow: 'int', version: 'int' } as const satisfies Partial<
  Record<keyof OrderFields, SqlType>
>

/** What create_order() takes beside the order. */
const BESIDE = {
  validUntil: 'timestamptz',
  eventId: 'uuid',
  headers: 'jsonb',
  payload: 'bytea',
  route: 'text',
  key: 'text',
  requestHash: 'bytea',
  reply: 'bytea',
  rider: 'jsonb',
} as const satisfies Record<string, SqlType>

/** `merchantId` in the database. */
export const column = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const FIELDS = (Object.keys(STORED) as (keyof OrderFields)[]).filter((field) => STORED[field] !== 'later')
const OTHERS = Object.keys(BESIDE) as (keyof typeof BESIDE)[]

/** Its arguments, in the order of its parameters. */
export const createOrderArguments = (order: NewOrder, beside: Record<keyof typeof BESIDE, unknown>): unknown[] => [
  ...FIELDS.map((field) => order[field]),
  ...OTHERS.map((name) => beside[name]),
]

/** Its parameters: name and type. */
export const CREATE_ORDER_PARAMETERS: readonly (readonly [name: string, type: string])[] = [
  ...FIELDS.map((field) => [`p_${column(field)}`, STORED[field]] as const),
  ...OTHERS.map((name) => [`p_${column(name)}`, BESIDE[name]] as const),
]

const COLUMNS = FIELDS.map(column)

/**
 * create_order() stores an order, its fact order.created and the reply to its idempotency key in one statement, hence
 * one transaction and one round trip. It decides nothing but who came first and whether the order is still in time.
 * With p_rider, its payload, it also leaves the intent 'assign'.
 *
 * outcome: `created`; `replayed` with the stored reply; `idempotency_conflict`; `taken` when another order has the
 * natural key; `stale` when the clock has passed p_valid_until. Only `created` leaves anything behind.
 */
export const createOrder: SqlFunction = {
  name: 'create_order',
  sql: `
CREATE OR REPLACE FUNCTION create_order(
  ${CREATE_ORDER_PARAMETERS.map((parameter) => parameter.join(' ')).join(', ')})
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

  -- Whether it is paid the record says, in the words with which unifiedJson() begins: a parameter of its own would be another
  -- function, and the release that runs meanwhile calls this one.
  INSERT INTO orders (${COLUMNS.join(', ')}, payment_verified, created_at, updated_at)
  VALUES (${COLUMNS.map((name) => `p_${name}`).join(', ')},
          starts_with(p_unified_json::text, '{"schema_version":"1","status":"' || p_status || '","payment_verified":true,'),
          v_now, v_now)
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
    -- The process that creates the order carries it out; the workers come later, should that fail.
    INSERT INTO intent (id, merchant_id, kind, subject_id, attempt, payload, state, next_at, created_at)
    VALUES (gen_random_uuid(), p_merchant_id, 'assign', p_id, 1, p_rider, 'pending', v_now + interval '5 seconds', v_now);
  END IF;
  RETURN QUERY SELECT 'created', v_now, NULL::bytea;
END $$;
`,
}
