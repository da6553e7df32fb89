import type { SqlFunction } from '@svc/database'

/** The area of a set that a point is in: of several the one with the highest priority, then the oldest. */
const areaOf = (table: string, where: string) => `
      (SELECT json_build_object('id', id, 'name', name) FROM ${table}
        WHERE ${where} AND ST_Covers(area, judged.point) ORDER BY priority DESC, created_at, id LIMIT 1)`

/** All that coverage and price need, as of one moment. Planning it anew would take as long as running it. */
export const surveyDelivery: SqlFunction = {
  name: 'survey_delivery',
  sql: `
CREATE OR REPLACE FUNCTION survey_delivery(
  p_merchant uuid, p_vehicle text, p_lngs float8[], p_lats float8[],
  p_from_lng float8, p_from_lat float8, p_to_lngs float8[], p_to_lats float8[])
RETURNS TABLE (now timestamptz, "hasZones" boolean, "hasGeofences" boolean, places json, card json, metres float8[])
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH judged AS MATERIALIZED (
    SELECT place, ST_SetSRID(ST_MakePoint(lng, lat), 4326) AS point
      FROM unnest(p_lngs, p_lats) WITH ORDINALITY AS given (lng, lat, place)),
  sets AS MATERIALIZED (
    SELECT EXISTS (SELECT 1 FROM dispatch_zones WHERE merchant_id = p_merchant AND active) AS zones,
           EXISTS (SELECT 1 FROM platform_geofences WHERE active) AS geofences)
  SELECT app_now(), sets.zones, sets.geofences,
    (SELECT coalesce(json_agg(json_build_object(
       'zone', CASE WHEN sets.zones THEN ${areaOf('dispatch_zones', 'merchant_id = p_merchant AND active')} END,
       'geofence', CASE WHEN NOT sets.zones THEN ${areaOf('platform_geofences', 'active')} END)
       ORDER BY place), '[]') FROM judged),
    (SELECT row_to_json(best) FROM (
       SELECT id, version, name, merchant_id AS "merchantId", currency, vehicle_type AS "vehicleType", active,
              base_minor AS "baseMinor", per_km_minor AS "perKmMinor", per_kg_minor AS "perKgMinor",
              fragile_minor AS "fragileMinor", minimum_minor AS "minimumMinor", surge_percent AS "surgePercent",
              vat_percent AS "vatPercent"
         FROM rate_cards
        WHERE is_current AND active AND (merchant_id = p_merchant OR merchant_id IS NULL)
          AND (vehicle_type = p_vehicle OR vehicle_type IS NULL)
        ORDER BY merchant_id IS NULL, vehicle_type IS NULL, created_at DESC, id LIMIT 1) AS best),
    (SELECT coalesce(array_agg(ST_Distance(ST_MakePoint(p_from_lng, p_from_lat)::geography,
                                           ST_MakePoint(lng, lat)::geography) ORDER BY place), '{}')
       FROM unnest(p_to_lngs, p_to_lats) WITH ORDINALITY AS given (lng, lat, place))
  FROM sets;
END $$;
REVOKE EXECUTE ON FUNCTION survey_delivery FROM PUBLIC;
GRANT EXECUTE ON FUNCTION survey_delivery TO dispatch_worker;
`,
}
