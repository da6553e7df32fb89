import { SANDBOX_RIDER } from '@svc/credentials'
import type { SqlFunction } from '@svc/database'

/**
 * The index yields riders by distance on a sphere, which may order two that are nearly equally far otherwise than the
 * ellipsoid does: it tells how far the last one is, and every rider within that reach is ordered anew.
 * The settings keep the planner on the index, whose selectivity it misjudges by orders of magnitude.
 */
export const ridersNear: SqlFunction = {
  name: 'riders_near',
  sql: `
CREATE OR REPLACE FUNCTION riders_near(
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
  IF reach IS NULL THEN RETURN; END IF;
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
`,
}
