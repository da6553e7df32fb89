import type { SqlFunction } from '@svc/database'

/** The area of a set that a point is in: of several the one with the highest priority, then the oldest. */
const areaOf = (table: string, where: string) => `
      (SELECT json_build_object('id', id, 'name', name) FROM ${table}
        WHERE ${where} AND ST_Covers(area, judged.point) ORDER BY priority DESC, created_at, id LIMIT 1)`

/** Those of all deliveries lie in one array, one delivery's after another's: these are of the one that is asked about. */
const slice = (array: string, end: 'points' | 'tos') =>
  `${array}[asked.${end}_end - asked.${end} + 1 : asked.${end}_end]`

/**
 * All that coverage and price need of some deliveries, as of one moment; of the nth as `nth`. To start its plan takes as long as
 * to run it for a delivery, and to make it anew ten times as long: it is made once, and started once for all of them.
 */
export const surveyDeliveries: SqlFunction = {
  name: 'survey_deliveries',
  sql: `
CREATE OR REPLACE FUNCTION survey_deliveries(
  p_merchants uuid[], p_vehicles text[], p_from_lngs float8[], p_from_lats float8[],
  p_points int[], p_lngs float8[], p_lats float8[], p_tos int[], p_to_lngs float8[], p_to_lats float8[])
RETURNS TABLE (nth bigint, now timestamptz, "hasZones" boolean, "hasGeofences" boolean, "isOwnFleet" boolean, places json, card json,
               metres float8[])
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz := app_now();
BEGIN
  RETURN QUERY
  WITH asked AS MATERIALIZED (
    SELECT *, sum(points) OVER (ORDER BY nth) AS points_end, sum(tos) OVER (ORDER BY nth) AS tos_end,
           EXISTS (SELECT 1 FROM dispatch_zones WHERE merchant_id = merchant AND active) AS zones
      FROM unnest(p_merchants, p_vehicles, p_from_lngs, p_from_lats, p_points, p_tos) WITH ORDINALITY
             AS given (merchant, vehicle, from_lng, from_lat, points, tos, nth)),
  sets AS MATERIALIZED (
    SELECT EXISTS (SELECT 1 FROM platform_geofences WHERE active) AS geofences)
  SELECT asked.nth, v_now, asked.zones, sets.geofences,
    EXISTS (SELECT 1 FROM merchants m WHERE m.id = asked.merchant AND m.fulfillment_mode = 'internal_fleet'),
    (SELECT coalesce(json_agg(json_build_object(
       'zone', CASE WHEN asked.zones THEN ${areaOf('dispatch_zones', 'merchant_id = asked.merchant AND active')} END,
       'geofence', CASE WHEN NOT asked.zones THEN ${areaOf('platform_geofences', 'active')} END)
       ORDER BY place), '[]')
       FROM (SELECT place, ST_SetSRID(ST_MakePoint(lng, lat), 4326) AS point
               FROM unnest(${slice('p_lngs', 'points')}, ${slice('p_lats', 'points')}) WITH ORDINALITY
                      AS given (lng, lat, place)) AS judged),
    (SELECT row_to_json(best) FROM (
       SELECT id, version, name, merchant_id AS "merchantId", currency, vehicle_type AS "vehicleType", active,
              base_minor AS "baseMinor", per_km_minor AS "perKmMinor", per_kg_minor AS "perKgMinor",
              fragile_minor AS "fragileMinor", minimum_minor AS "minimumMinor", surge_percent AS "surgePercent",
              vat_percent AS "vatPercent"
         FROM rate_cards
        WHERE is_current AND active AND (merchant_id = asked.merchant OR merchant_id IS NULL)
          AND (vehicle_type = asked.vehicle OR vehicle_type IS NULL)
        ORDER BY merchant_id IS NULL, vehicle_type IS NULL, created_at DESC, id LIMIT 1) AS best),
    (SELECT coalesce(array_agg(ST_Distance(ST_MakePoint(asked.from_lng, asked.from_lat)::geography,
                                           ST_MakePoint(lng, lat)::geography) ORDER BY place), '{}')
       FROM unnest(${slice('p_to_lngs', 'tos')}, ${slice('p_to_lats', 'tos')}) WITH ORDINALITY
              AS given (lng, lat, place))
  FROM asked CROSS JOIN sets;
END $$;
REVOKE EXECUTE ON FUNCTION survey_deliveries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION survey_deliveries TO dispatch_worker;
`,
}
