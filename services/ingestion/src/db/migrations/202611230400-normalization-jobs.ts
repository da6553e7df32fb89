import { recorderTableSql, SqlMigration } from '@svc/database'

/** What a hook that tells of an order is made into, and the settings of merchants that its order needs. */
export class NormalizationJobs extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TYPE normalization_status AS ENUM ('pending', 'succeeded', 'ignored', 'failed');

CREATE TABLE normalization_jobs (
  id uuid PRIMARY KEY REFERENCES inbound_hooks ON DELETE CASCADE,
  channel text NOT NULL,
  merchant_id uuid NOT NULL,
  external_order_id text,
  status normalization_status NOT NULL,
  attempts int NOT NULL,
  error text,
  field text,
  outcome text,
  told_at timestamptz(3),
  order_id uuid,
  next_at timestamptz(3) NOT NULL,
  lease uuid,
  lease_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  resolved_at timestamptz(3),
  CHECK ((lease IS NULL) = (lease_until IS NULL)),
  CHECK ((lease IS NULL) OR status = 'pending'),
  CHECK ((resolved_at IS NULL) = (status IN ('pending', 'failed'))));
COMMENT ON TABLE normalization_jobs IS 'One per hook that tells of an order: what becomes of it. The id is that of the hook.';
COMMENT ON COLUMN normalization_jobs.external_order_id IS 'Of one order one job is under way at a time.';
COMMENT ON COLUMN normalization_jobs.attempts IS 'Tries since the hook was handed on last.';
COMMENT ON COLUMN normalization_jobs.outcome IS 'What the hook said: order, update or cancel; null until it was judged.';
COMMENT ON COLUMN normalization_jobs.told_at IS 'When it was so, as the third party says: what is older than the newest changes nothing.';

CREATE INDEX normalization_jobs_due ON normalization_jobs (next_at) WHERE status = 'pending';
CREATE UNIQUE INDEX normalization_jobs_under_way ON normalization_jobs (merchant_id, channel, external_order_id)
  WHERE lease IS NOT NULL;
CREATE INDEX normalization_jobs_of_order ON normalization_jobs (merchant_id, channel, external_order_id);
CREATE INDEX normalization_jobs_listed ON normalization_jobs (created_at DESC, id DESC);
CREATE INDEX normalization_jobs_of_merchant ON normalization_jobs (merchant_id, created_at DESC, id DESC);
CREATE INDEX normalization_jobs_by_status ON normalization_jobs (status, created_at DESC, id DESC);

ALTER TABLE channel_settings
  ADD COLUMN shop_domain text,
  ADD COLUMN receiver_phone text,
  ADD COLUMN subject_keyword text,
  ADD COLUMN pickup_address text,
  ADD COLUMN pickup_lat double precision,
  ADD COLUMN pickup_lng double precision,
  ADD COLUMN lead_minutes int,
  ADD COLUMN window_minutes int;
`)
    this.addSql(recorderTableSql({ service: 'ingestion', table: 'normalization_jobs' }))
  }
}
