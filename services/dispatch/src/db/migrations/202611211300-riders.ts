import { SANDBOX_RIDER } from '@svc/credentials'
import { foundationSql, recorderTableSql, SqlMigration, tenantTableSql } from '@svc/database'
import { outboxSql } from '@svc/outbox'

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
  -- Joined a fleet with a phone that was somebody's already: until the phone is proven again, nobody else speaks for it.
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
-- Riders whose tokens must end. A row goes once admin has ended them; who holds the lease is about to ask.
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

/** Riders, how they join and prove themselves, and the machinery that every service database has. */
export class Riders extends SqlMigration {
  override up(): void {
    this.addSql(foundationSql)
    this.addSql(outboxSql(service))
    this.addSql(merchantsSql)
    this.addSql(ridersSql)
    this.addSql(otpSql)
    this.addSql(recorderTableSql({ service, table: 'merchants' }))
    this.addSql(tenantTableSql({ service, table: 'riders', appGrants: 'SELECT' }))
    this.addSql(tenantTableSql({ service, table: 'invite_codes', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(recorderTableSql({ service, table: 'token_revocations' }))
    this.addSql(recorderTableSql({ service, table: 'otps' }))
    this.addSql(recorderTableSql({ service, table: 'otp_send_log' }))
    this.addSql(recorderTableSql({ service, table: 'sos_alerts' }))
  }
}
