import { SANDBOX_RIDER } from '@svc/credentials'
import { foundationSql, recorderTableSql, SqlMigration, tenantTableSql } from '@svc/database'
import { outboxSql } from '@svc/transact'

const service = 'dispatch'

const merchantsSql = `
-- What dispatch knows of merchants, from their facts.
CREATE TABLE merchants (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL,
  timezone text NOT NULL,
  currency text NOT NULL,
  auto_dispatch_enabled boolean NOT NULL,
  dispatch_mode text NOT NULL,
  dispatch_batch_size int NOT NULL,
  fulfillment_mode text NOT NULL,
  version int NOT NULL);
`

const ridersSql = `
CREATE TABLE riders (
  id uuid PRIMARY KEY,
  rider_type text NOT NULL CHECK (rider_type IN ('merchant_fleet', 'freelancer')),
  merchant_id uuid,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  phone text NOT NULL CONSTRAINT riders_phone_taken UNIQUE,
  phone_verified_at timestamptz(3),
  vehicle_type text NOT NULL CHECK (vehicle_type IN ('motorcycle', 'car', 'van', 'truck')),
  city text,
  kyc_status text NOT NULL CHECK (kyc_status IN ('pending', 'approved', 'rejected')),
  is_online boolean NOT NULL DEFAULT false,
  last_completed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  version int NOT NULL DEFAULT 1,
  -- Joined a fleet with a phone that was a rider's already: until it is proven again, only the rider speaks for it.
  proof_required boolean NOT NULL DEFAULT false,
  CHECK (rider_type = 'merchant_fleet' OR merchant_id IS NULL));
CREATE INDEX riders_of_fleet ON riders (merchant_id, created_at DESC, id DESC);
CREATE INDEX riders_newest ON riders (created_at DESC, id DESC);
CREATE INDEX riders_latest ON riders (updated_at DESC, id DESC);
INSERT INTO riders (id, rider_type, name, phone, phone_verified_at, vehicle_type, kyc_status, is_online, created_at, updated_at)
VALUES ('${SANDBOX_RIDER.id}', 'freelancer', '${SANDBOX_RIDER.name}', '${SANDBOX_RIDER.phone}', app_now(),
        '${SANDBOX_RIDER.vehicleType}', 'approved', true, app_now(), app_now());

CREATE TABLE invite_codes (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  code text NOT NULL CONSTRAINT invite_codes_code_taken UNIQUE,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  redeemed_at timestamptz(3),
  redeemed_by uuid REFERENCES riders,
  created_at timestamptz(3) NOT NULL);
-- Riders whose tokens must end. A row goes once admin has ended them; the holder of the lease is about to ask.
CREATE TABLE token_revocations (
  rider_id uuid PRIMARY KEY REFERENCES riders,
  lease uuid NOT NULL,
  lease_until timestamptz(3) NOT NULL);

CREATE INDEX invite_codes_of_merchant ON invite_codes (merchant_id, created_at DESC, id DESC);
`

const otpSql = `
-- The latest code per purpose and subject: the phone that logs in, the rider who proves a phone, or the order handed over.
CREATE TABLE otps (
  purpose text NOT NULL CHECK (purpose IN ('rider_login', 'rider_phone', 'pod')),
  subject_id text NOT NULL,
  id uuid NOT NULL UNIQUE,
  phone text NOT NULL,
  code_hmac bytea NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  resend_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (purpose, subject_id));
CREATE INDEX otps_by_expiry ON otps (expires_at);

CREATE TABLE otp_send_log (
  id uuid PRIMARY KEY,
  channel text NOT NULL CHECK (channel IN ('rider_phone', 'delivery_on_order_create', 'pod_rider_request')),
  phone text NOT NULL,
  order_id uuid,
  rider_id uuid,
  provider text NOT NULL,
  status text NOT NULL CHECK (status IN ('sent', 'failed', 'skipped')),
  created_at timestamptz(3) NOT NULL);
CREATE INDEX otp_send_log_newest ON otp_send_log (created_at DESC, id DESC);
CREATE INDEX otp_send_log_of_order ON otp_send_log (order_id);

CREATE TABLE sos_alerts (
  id uuid PRIMARY KEY,
  rider_id uuid NOT NULL REFERENCES riders,
  merchant_id uuid,
  lat double precision,
  lng double precision,
  note text CHECK (char_length(note) <= 500),
  created_at timestamptz(3) NOT NULL,
  CHECK ((lat IS NULL) = (lng IS NULL)));
CREATE INDEX sos_alerts_newest ON sos_alerts (created_at DESC, id DESC);
CREATE INDEX sos_alerts_of_rider ON sos_alerts (rider_id, created_at DESC);
`

const placesSql = `
CREATE TABLE dispatch_zones (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  active boolean NOT NULL,
  priority int NOT NULL,
  area geometry(MultiPolygon, 4326) NOT NULL,
  -- As it was given: Polygon or MultiPolygon.
  geometry json NOT NULL,
  created_at timestamptz(3) NOT NULL);
COMMENT ON COLUMN dispatch_zones.area IS 'Planar longitude and latitude, as GeoJSON means it.';
CREATE INDEX dispatch_zones_of_merchant ON dispatch_zones (merchant_id, priority DESC);
CREATE INDEX dispatch_zones_area ON dispatch_zones USING gist (area);

CREATE TABLE platform_geofences (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  active boolean NOT NULL,
  priority int NOT NULL,
  area geometry(MultiPolygon, 4326) NOT NULL,
  geometry json NOT NULL,
  created_at timestamptz(3) NOT NULL);
CREATE INDEX platform_geofences_area ON platform_geofences USING gist (area);

CREATE TABLE dispatch_schedules (
  merchant_id uuid PRIMARY KEY,
  timezone text NOT NULL,
  windows jsonb NOT NULL,
  closed_dates date[] NOT NULL,
  updated_at timestamptz(3) NOT NULL);
`

const pricesSql = `
-- Every version of every rate card; quotes and orders name the one that priced them.
CREATE TABLE rate_cards (
  id uuid NOT NULL,
  version int NOT NULL,
  is_current boolean NOT NULL,
  merchant_id uuid,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  vehicle_type text CHECK (vehicle_type IN ('motorcycle', 'car', 'van', 'truck')),
  active boolean NOT NULL,
  base_minor bigint NOT NULL CHECK (base_minor >= 0),
  per_km_minor bigint NOT NULL CHECK (per_km_minor >= 0),
  per_kg_minor bigint NOT NULL CHECK (per_kg_minor >= 0),
  fragile_minor bigint NOT NULL CHECK (fragile_minor >= 0),
  minimum_minor bigint NOT NULL CHECK (minimum_minor >= 0),
  surge_percent int NOT NULL CHECK (surge_percent >= 0),
  vat_percent int NOT NULL CHECK (vat_percent >= 0),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (id, version));
CREATE UNIQUE INDEX rate_cards_current ON rate_cards (id) WHERE is_current;
CREATE INDEX rate_cards_of_merchant ON rate_cards (merchant_id, vehicle_type) WHERE is_current AND active;

CREATE TABLE quotes (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  is_test boolean NOT NULL,
  fulfillment_mode text NOT NULL CHECK (fulfillment_mode IN ('freelancer', 'internal_fleet')),
  -- What was asked: points and parcel.
  request jsonb NOT NULL,
  -- What was answered; null for internal_fleet.
  fare jsonb,
  currency text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL);
CREATE INDEX quotes_of_merchant ON quotes (merchant_id, expires_at);
`

const positionsSql = `
-- Where each rider is now: the position with the latest recorded_at.
CREATE TABLE rider_positions (
  rider_id uuid PRIMARY KEY REFERENCES riders,
  place geography(Point, 4326) NOT NULL,
  lat double precision NOT NULL,
  lng double precision NOT NULL,
  accuracy_m double precision,
  speed_mps double precision,
  heading_deg double precision,
  battery_pct double precision,
  recorded_at timestamptz(3) NOT NULL,
  received_at timestamptz(3) NOT NULL,
  seq bigint NOT NULL DEFAULT 1)
-- Every row is replaced every few seconds.
WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX rider_positions_place ON rider_positions USING gist (place);

-- Every accepted position, one partition per day of receipt; old days are dropped whole.
CREATE TABLE rider_location_log (
  rider_id uuid NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  received_at timestamptz(3) NOT NULL,
  lat double precision NOT NULL,
  lng double precision NOT NULL,
  accuracy_m double precision,
  speed_mps double precision,
  heading_deg double precision
) PARTITION BY RANGE (received_at);
CREATE INDEX rider_location_log_of_rider ON rider_location_log (rider_id, recorded_at DESC);
`

const jobsSql = `
-- What dispatch knows of an order, from its facts or asked fresh, and what it is doing about it.
CREATE TABLE dispatch_jobs (
  order_id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  is_test boolean NOT NULL,
  -- Of the order: the version of the facts seen, the status, the rider and the fence of assignments.
  order_version int NOT NULL,
  status text NOT NULL,
  rider_id uuid,
  assignment_version int NOT NULL,
  pickup_address text NOT NULL,
  pickup_lat double precision, pickup_lng double precision,
  dropoff_address text NOT NULL,
  dropoff_lat double precision, dropoff_lng double precision,
  vehicle_type text,
  cod_amount_minor bigint,
  scheduled_pickup_at timestamptz(3) NOT NULL,
  delivery_window_end timestamptz(3) NOT NULL,
  order_created_at timestamptz(3) NOT NULL,
  -- Automatic dispatch: idle (off, or a rider has it), searching, exhausted (waits for its next try) or closed.
  search text NOT NULL DEFAULT 'idle' CHECK (search IN ('idle', 'searching', 'exhausted', 'closed')),
  round int NOT NULL DEFAULT 0,
  -- Which radius of the present pass that round looked in, from 1; 0 between passes.
  step int NOT NULL DEFAULT 0,
  search_started_at timestamptz(3),
  delayed_at timestamptz(3),
  -- When the worker looks at it next.
  next_at timestamptz(3),
  -- The rider's way so far; what positions show starts anew with another rider.
  accepted_at timestamptz(3),
  -- How far the rider was from the pickup when the order was accepted.
  pickup_leg_metres double precision,
  arrived_pickup_at timestamptz(3),
  departed_at timestamptz(3),
  arrived_dropoff_at timestamptz(3),
  picked_up_at timestamptz(3),
  eta jsonb,
  -- What the delivery costs its merchant, by the price of its creation; null: it has none.
  fee_minor bigint,
  -- By what else, beside the vehicle, the commission is found: the amount that the order names, and where it came from.
  delivery_commission_minor bigint,
  source text NOT NULL DEFAULT '',
  -- What its rider would earn; null until it is known.
  payout_minor bigint,
  payout_currency text,
  CHECK ((pickup_lat IS NULL) = (pickup_lng IS NULL)),
  CHECK ((dropoff_lat IS NULL) = (dropoff_lng IS NULL)),
  CHECK ((payout_minor IS NULL) = (payout_currency IS NULL)));
CREATE INDEX dispatch_jobs_due ON dispatch_jobs (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX dispatch_jobs_age ON dispatch_jobs (order_created_at);
CREATE INDEX dispatch_jobs_waiting ON dispatch_jobs (merchant_id) WHERE status = 'pending';
-- Orders on offer of which it is not known yet what a rider would earn.
CREATE INDEX dispatch_jobs_unplanned ON dispatch_jobs (order_id)
  WHERE payout_minor IS NULL AND search IN ('searching', 'exhausted');

CREATE TABLE dispatch_offers (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES dispatch_jobs,
  -- Null: a merchant or an operator takes the order from its rider.
  rider_id uuid REFERENCES riders CHECK (rider_id IS NOT NULL OR kind = 'manual'),
  merchant_id uuid NOT NULL,
  is_test boolean NOT NULL,
  -- manual: made by a merchant's or operator's assignment; never shown.
  kind text NOT NULL CHECK (kind IN ('auto', 'manual')),
  -- accepting: under way between the rider's yes and the order's answer; shown as pending.
  state text NOT NULL CHECK (state IN ('pending', 'accepting', 'accepted', 'declined', 'expired', 'withdrawn')),
  round int NOT NULL,
  rank int NOT NULL,
  score_m double precision NOT NULL,
  distance_m double precision NOT NULL,
  load_penalty_m double precision NOT NULL,
  -- The fence: the order's assignment_version when the offer was made.
  assignment_version int NOT NULL,
  -- Who assigned the rider, for the records: {type, id, on_behalf_of, ip, request_id}.
  actor jsonb,
  -- The order is accepted by it: the rider said yes, or need not be asked.
  accept boolean NOT NULL DEFAULT true,
  lease uuid,
  lease_until timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  responded_at timestamptz(3));
CREATE UNIQUE INDEX dispatch_offers_one_winner ON dispatch_offers (order_id) WHERE state = 'accepted';
CREATE UNIQUE INDEX dispatch_offers_one_under_way ON dispatch_offers (order_id) WHERE state = 'accepting';
CREATE UNIQUE INDEX dispatch_offers_once ON dispatch_offers (order_id, rider_id) WHERE kind = 'auto';
CREATE INDEX dispatch_offers_of_rider ON dispatch_offers (rider_id, expires_at) WHERE state = 'pending';
CREATE INDEX dispatch_offers_of_order ON dispatch_offers (order_id, round, rank);
CREATE INDEX dispatch_offers_accepting ON dispatch_offers (lease_until) WHERE state = 'accepting';

-- Orders that riders have under way; the load that candidates are judged by. While an order goes from one rider to
-- another both have it.
CREATE TABLE rider_active (
  order_id uuid NOT NULL REFERENCES dispatch_jobs,
  rider_id uuid NOT NULL REFERENCES riders,
  merchant_id uuid NOT NULL,
  since timestamptz(3) NOT NULL,
  PRIMARY KEY (order_id, rider_id));
CREATE INDEX rider_active_of_rider ON rider_active (rider_id);

-- Why each rider of each round was asked or left out.
CREATE TABLE dispatch_rounds (
  order_id uuid NOT NULL REFERENCES dispatch_jobs,
  round int NOT NULL,
  merchant_id uuid NOT NULL,
  radius_m int NOT NULL,
  started_at timestamptz(3) NOT NULL,
  candidates jsonb NOT NULL,
  PRIMARY KEY (order_id, round));

-- Completed legs, from which speeds are learnt.
CREATE TABLE completed_legs (
  order_id uuid NOT NULL,
  leg text NOT NULL CHECK (leg IN ('pickup', 'dropoff')),
  vehicle_type text NOT NULL,
  -- 0 is Monday 00:00 UTC.
  hour_of_week smallint NOT NULL CHECK (hour_of_week BETWEEN 0 AND 167),
  metres double precision NOT NULL,
  seconds double precision NOT NULL CHECK (seconds > 0),
  completed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (order_id, leg));
CREATE INDEX completed_legs_learnt ON completed_legs (vehicle_type, hour_of_week, completed_at DESC);

CREATE TABLE pod_photos (
  storage_key text PRIMARY KEY,
  rider_id uuid NOT NULL REFERENCES riders,
  content_type text NOT NULL,
  size_bytes int NOT NULL,
  created_at timestamptz(3) NOT NULL);
`

/** Riders, where is delivered and for how much, positions, and orders to dispatch. */
export class Schema extends SqlMigration {
  override up(): void {
    this.addSql(foundationSql)
    this.addSql(outboxSql(service))
    for (const sql of [merchantsSql, ridersSql, otpSql, placesSql, pricesSql, positionsSql, jobsSql]) this.addSql(sql)
    this.addSql(tenantTableSql({ service, table: 'riders', appGrants: 'SELECT' }))
    this.addSql(tenantTableSql({ service, table: 'invite_codes', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'quotes', appGrants: 'SELECT, INSERT, DELETE' }))
    for (const table of ['dispatch_zones', 'dispatch_schedules'])
      this.addSql(tenantTableSql({ service, table, appGrants: 'SELECT' }))
    for (const table of ['dispatch_jobs', 'dispatch_offers', 'rider_active', 'dispatch_rounds'])
      this.addSql(tenantTableSql({ service, table, appGrants: 'SELECT' }))
    for (const table of ['merchants', 'token_revocations', 'otps', 'otp_send_log', 'sos_alerts'])
      this.addSql(recorderTableSql({ service, table }))
    for (const table of ['platform_geofences', 'rate_cards', 'rider_positions', 'completed_legs', 'pod_photos'])
      this.addSql(recorderTableSql({ service, table }))
    this.addSql(recorderTableSql({ service, table: 'rider_location_log', workerGrants: 'SELECT, INSERT' }))
  }
}
