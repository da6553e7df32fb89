import { SANDBOX_RIDER } from '@svc/credentials'
import type { SqlFunction } from '@svc/database'
import { cashInHand } from '../rider-cash.ts'

/**
 * Riders to whom an order can be offered, nearest first: the merchant's fleet, or the freelancers. Every reason to leave a
 * rider out is judged while the index yields riders by distance: however many nearer ones cannot carry the order, those
 * who can are found. A fleet is found by its merchant, however many freelancers are nearer.
 * The settings keep the planner on the index, whose selectivity it misjudges by orders of magnitude.
 */
const isAskable = `
  p.recorded_at >= since AND r.is_online
  AND (vehicles IS NULL OR r.vehicle_type = ANY(vehicles))
  AND (NOT kyc_required OR r.kyc_status = 'approved')
  AND NOT EXISTS (SELECT FROM dispatch_offers o WHERE o.order_id = of_order AND o.rider_id = r.id AND o.kind = 'auto')
  AND (SELECT count(*) < max_orders AND (max_cod_minor IS NULL OR coalesce(sum(j.cod_amount_minor), 0) + ${cashInHand('r.id')} <= max_cod_minor)
         FROM rider_active a JOIN dispatch_jobs j USING (order_id)
        WHERE a.rider_id = r.id AND (a.acted OR a.merchant_id = of_merchant))`

const FOUND = `
  p.rider_id, st_distance(p.place, here) AS distance_m, greatest(0, extract(epoch FROM at - p.recorded_at))::float8`

export const ridersAskable: SqlFunction = {
  name: 'riders_askable',
  sql: `
CREATE OR REPLACE FUNCTION riders_askable(
  lat float8, lng float8, metres float8, at_most int, max_age_seconds float8,
  of_order uuid, of_merchant uuid, of_fleet boolean,
  vehicles text[], kyc_required boolean, max_orders int, max_cod_minor bigint)
RETURNS TABLE (rider_id uuid, distance_m float8, location_age_seconds float8)
LANGUAGE plpgsql STABLE ROWS 20
SET enable_sort = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  here geography := st_point(lng, lat, 4326)::geography;
  at timestamptz := app_now();
  since timestamptz := at - make_interval(secs => max_age_seconds);
BEGIN
  IF of_fleet THEN
    RETURN QUERY
      SELECT ${FOUND}
        FROM riders r JOIN rider_positions p ON p.rider_id = r.id
       WHERE r.merchant_id = of_merchant AND st_dwithin(p.place, here, metres) AND ${isAskable}
       ORDER BY 2, 1 LIMIT at_most;
    RETURN;
  END IF;
  RETURN QUERY
    SELECT n.* FROM (
      SELECT ${FOUND}
        FROM rider_positions p JOIN riders r ON r.id = p.rider_id
       WHERE st_dwithin(p.place, here, metres) AND r.rider_type = 'freelancer' AND p.rider_id <> '${SANDBOX_RIDER.id}'
         AND ${isAskable}
       ORDER BY p.place <-> here LIMIT at_most) AS n
     ORDER BY 2, 1;
END $$;
REVOKE EXECUTE ON FUNCTION riders_askable FROM PUBLIC;
GRANT EXECUTE ON FUNCTION riders_askable TO dispatch_worker;
`,
}
