import type { SqlFunction } from '@svc/database'

/**
 * Makes and drops partitions of the location log as the owner of the tables, which the worker may ask for nothing else:
 * the function takes days, not names. Reads and writes go through the parent, so partitions carry no grants, and row security without a policy.
 */
export const riderLocationLogKeep: SqlFunction = {
  name: 'rider_location_log_keep',
  sql: `
CREATE OR REPLACE FUNCTION rider_location_log_keep(ahead_days int, kept_days int) RETURNS TABLE (created int, dropped int)
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
GRANT EXECUTE ON FUNCTION rider_location_log_keep TO dispatch_worker;
`,
}
