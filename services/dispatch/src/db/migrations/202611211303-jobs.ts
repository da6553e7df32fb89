import { recorderTableSql, SqlMigration, tenantTableSql } from '@svc/database'

const service = 'dispatch'

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
  -- Automatic dispatch: idle (off, or somebody has it), searching, exhausted (waits for its next try) or closed.
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
  CHECK ((pickup_lat IS NULL) = (pickup_lng IS NULL)),
  CHECK ((dropoff_lat IS NULL) = (dropoff_lng IS NULL)));
CREATE INDEX dispatch_jobs_due ON dispatch_jobs (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX dispatch_jobs_age ON dispatch_jobs (order_created_at);
CREATE INDEX dispatch_jobs_waiting ON dispatch_jobs (merchant_id) WHERE status = 'pending';

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
  -- The order is accepted by it: the rider said yes, or nobody has to be asked.
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

/** Orders to dispatch, offers, and what is learnt from both. */
export class Jobs extends SqlMigration {
  override up(): void {
    this.addSql(jobsSql)
    this.addSql(tenantTableSql({ service, table: 'dispatch_jobs', appGrants: 'SELECT' }))
    this.addSql(tenantTableSql({ service, table: 'dispatch_offers', appGrants: 'SELECT' }))
    this.addSql(tenantTableSql({ service, table: 'rider_active', appGrants: 'SELECT' }))
    this.addSql(tenantTableSql({ service, table: 'dispatch_rounds', appGrants: 'SELECT' }))
    this.addSql(recorderTableSql({ service, table: 'completed_legs' }))
    this.addSql(recorderTableSql({ service, table: 'pod_photos' }))
  }
}
