import { SANDBOX_RIDER } from '@svc/credentials'
import { recorderTableSql, SqlMigration } from '@svc/database'

const service = 'dispatch'

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

/**
 * Partitions are made by the owner of the tables, whom the worker may ask for nothing else: the function takes days,
 * not names. Reads and writes go through the parent, so partitions carry no grants, and row security without a policy.
 */
const partitionsSql = `
CREATE FUNCTION rider_location_log_keep(ahead_days int, kept_days int) RETURNS TABLE (created int, dropped int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET "TimeZone" = 'UTC' AS $$
DECLARE
  today date := app_now()::date;
  of_day date;
  partition text;
BEGIN
  created := 0;
  dropped := 0;
  -- Two replicas never make the same day.
  PERFORM pg_advisory_xact_lock(hashtext('rider_location_log_keep'));
  FOR of_day IN SELECT today + n FROM generate_series(0, greatest(ahead_days, 0)) AS n LOOP
    partition := 'rider_location_log_' || to_char(of_day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass('public.' || partition) IS NOT NULL;
    EXECUTE format('CREATE TABLE public.%I PARTITION OF public.rider_location_log FOR VALUES FROM (%L) TO (%L)',
                   partition, of_day::timestamptz, (of_day + 1)::timestamptz);
    EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', partition);
    EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', partition);
    created := created + 1;
  END LOOP;
  FOR partition IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'public.rider_location_log'::regclass
       AND to_date(right(c.relname, 8), 'YYYYMMDD') < today - greatest(kept_days, 1)
  LOOP
    EXECUTE format('DROP TABLE public.%I', partition);
    dropped := dropped + 1;
  END LOOP;
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION rider_location_log_keep FROM PUBLIC;
GRANT EXECUTE ON FUNCTION rider_location_log_keep TO ${service}_worker;
`

/**
 * The index yields riders by distance on a sphere, which may order two that are nearly equally far otherwise than the
 * ellipsoid does: it tells how far the last one is, and whoever is within that reach is ordered anew.
 * The settings keep the planner on the index, whose selectivity it misjudges by orders of magnitude.
 */
const nearSql = `
CREATE FUNCTION riders_near(
  lat float8, lng float8, metres float8, at_most int,
  of_merchant uuid, of_sandbox boolean, max_age_seconds float8, online_only boolean)
RETURNS TABLE (rider_id uuid, distance_m float8, location_age_seconds float8)
LANGUAGE plpgsql STABLE ROWS 20
SET enable_sort = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  here geography := st_point(lng, lat, 4326)::geography;
  at timestamptz := app_now();
  since timestamptz := coalesce(at - make_interval(secs => max_age_seconds), '-infinity');
  reach float8;
BEGIN
  IF of_sandbox THEN
    RETURN QUERY
      SELECT p.rider_id, st_distance(p.place, here), greatest(0, extract(epoch FROM at - p.recorded_at))::float8
        FROM rider_positions p JOIN riders r ON r.id = p.rider_id
       WHERE p.rider_id = '${SANDBOX_RIDER.id}' AND p.recorded_at >= since AND (r.is_online OR NOT online_only)
         AND st_dwithin(p.place, here, metres);
    RETURN;
  END IF;
  SELECT max(n.distance_m) INTO reach FROM (
    SELECT st_distance(p.place, here) AS distance_m
      FROM rider_positions p JOIN riders r ON r.id = p.rider_id
     WHERE st_dwithin(p.place, here, metres) AND p.recorded_at >= since AND (r.is_online OR NOT online_only)
       AND (of_merchant IS NULL OR r.merchant_id = of_merchant OR r.rider_type = 'freelancer')
       AND (of_sandbox IS NULL OR p.rider_id <> '${SANDBOX_RIDER.id}')
     ORDER BY p.place <-> here
     LIMIT at_most) n;
  RETURN QUERY
    SELECT p.rider_id, st_distance(p.place, here) AS distance_m,
           greatest(0, extract(epoch FROM at - p.recorded_at))::float8
      FROM rider_positions p JOIN riders r ON r.id = p.rider_id
     -- Distances are rounded; the last one must be within reach.
     WHERE st_dwithin(p.place, here, reach + 0.001) AND p.recorded_at >= since AND (r.is_online OR NOT online_only)
       AND (of_merchant IS NULL OR r.merchant_id = of_merchant OR r.rider_type = 'freelancer')
       AND (of_sandbox IS NULL OR p.rider_id <> '${SANDBOX_RIDER.id}')
     ORDER BY 2, 1
     LIMIT at_most;
END $$;
`

/** Where riders are and were. */
export class Positions extends SqlMigration {
  override up(): void {
    this.addSql(positionsSql)
    this.addSql(partitionsSql)
    this.addSql(nearSql)
    this.addSql(recorderTableSql({ service, table: 'rider_positions' }))
    this.addSql(recorderTableSql({ service, table: 'rider_location_log', workerGrants: 'SELECT, INSERT' }))
  }
}
