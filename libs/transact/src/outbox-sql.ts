import { recorderTableSql, tenantTableSql } from '@svc/database'
import { SHARDS } from './shard.ts'

// Written out in the CHECK: a call of outbox_shard() there would be parsed and inlined anew by every INSERT.
const SHARD_OF_AGGREGATE = `get_byte(uuid_send(aggregate_id), 15) % ${SHARDS}`

/**
 * For the first migration of a service, after foundationSql: outbox_shard() and the tables outbox, shard_lease, inbox,
 * parked, idempotency and intent, with their policies and grants.
 */
export const outboxSql = (service: string): string => `
CREATE FUNCTION outbox_shard(aggregate_id uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (${SHARD_OF_AGGREGATE})::smallint
$$;

CREATE TABLE outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY,
  event_id uuid PRIMARY KEY,
  shard smallint NOT NULL CHECK (shard = ${SHARD_OF_AGGREGATE}),
  aggregate_type text NOT NULL,
  aggregate_id uuid NOT NULL,
  aggregate_version int NOT NULL,
  merchant_id uuid,
  is_test bool NOT NULL,
  type text NOT NULL,
  payload bytea NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT app_now(),
  published_at timestamptz,
  parked_at timestamptz,
  UNIQUE (aggregate_id, aggregate_version)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);
COMMENT ON COLUMN outbox.seq IS 'Taken under the lock of the aggregate''s row: its order is the commit order of one aggregate.';
COMMENT ON COLUMN outbox.parked_at IS 'Kafka refuses this fact for good; the others of its shard go on.';
CREATE INDEX outbox_todo ON outbox (seq) INCLUDE (shard) WHERE published_at IS NULL AND parked_at IS NULL;
CREATE INDEX outbox_parked ON outbox (seq) WHERE parked_at IS NOT NULL;
CREATE INDEX outbox_age ON outbox USING brin (created_at);
${tenantTableSql({ service, table: 'outbox', appGrants: 'INSERT' })}

CREATE TABLE shard_lease (name text PRIMARY KEY, holder text, epoch bigint NOT NULL DEFAULT 0, until timestamptz);
INSERT INTO shard_lease (name) SELECT 'outbox-' || shard FROM generate_series(0, ${SHARDS - 1}) AS shard;
${recorderTableSql({ service, table: 'shard_lease', workerGrants: 'SELECT, UPDATE' })}

CREATE TABLE inbox (
  consumer text NOT NULL,
  event_id uuid NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, event_id));
CREATE INDEX inbox_age ON inbox USING brin (received_at);
${recorderTableSql({ service, table: 'inbox' })}

CREATE TABLE parked (
  seq bigint GENERATED ALWAYS AS IDENTITY,
  consumer text NOT NULL,
  aggregate_id uuid NOT NULL,
  event_id uuid NOT NULL,
  headers jsonb NOT NULL,
  payload bytea NOT NULL,
  error text,
  attempts int NOT NULL DEFAULT 0,
  first_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  resolved_at timestamptz,
  PRIMARY KEY (consumer, event_id));
COMMENT ON COLUMN parked.error IS 'Null for a fact that only waits behind an earlier one of its aggregate.';
CREATE INDEX parked_open ON parked (consumer, aggregate_id, seq) WHERE resolved_at IS NULL;
${recorderTableSql({ service, table: 'parked' })}

CREATE TABLE idempotency (
  merchant_id uuid NOT NULL,
  is_test bool NOT NULL,
  route text NOT NULL,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  request_hash bytea NOT NULL,
  reply bytea,
  resource_id uuid,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz NOT NULL DEFAULT app_now() + interval '24 hours',
  PRIMARY KEY (merchant_id, is_test, route, key));
CREATE INDEX idempotency_expiry ON idempotency USING brin (expires_at);
${tenantTableSql({ service, table: 'idempotency' })}

CREATE TABLE intent (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  attempt int NOT NULL,
  payload jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'applied', 'declined', 'aborting', 'aborted')),
  outcome jsonb,
  lease uuid,
  lease_until timestamptz,
  tries int NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT app_now(),
  created_at timestamptz NOT NULL DEFAULT app_now(),
  UNIQUE (kind, subject_id, attempt));
CREATE UNIQUE INDEX intent_one_open ON intent (kind, subject_id) WHERE state IN ('pending', 'aborting');
-- Finds what is due of intents however many are open.
CREATE INDEX IF NOT EXISTS intent_due ON intent (next_at) WHERE state IN ('pending', 'aborting');

${tenantTableSql({ service, table: 'intent' })}
`
