import { recorderTableSql, SqlMigration, tenantTableSql } from '@svc/database'

const service = 'dispatch'

const placesSql = `
CREATE TABLE dispatch_zones (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  active boolean NOT NULL,
  priority int NOT NULL,
  area geometry(MultiPolygon, 4326) NOT NULL,
  -- As it was given: Polygon or MultiPolygon.
  geometry json NOT NULL,
  created_at timestamptz(3) NOT NULL);
COMMENT ON COLUMN dispatch_zones.area IS 'Planar longitude and latitude, as GeoJSON means it.';
CREATE INDEX dispatch_zones_of_merchant ON dispatch_zones (merchant_id, priority DESC);
CREATE INDEX dispatch_zones_area ON dispatch_zones USING gist (area);

CREATE TABLE platform_geofences (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  active boolean NOT NULL,
  priority int NOT NULL,
  area geometry(MultiPolygon, 4326) NOT NULL,
  geometry json NOT NULL,
  created_at timestamptz(3) NOT NULL);
CREATE INDEX platform_geofences_area ON platform_geofences USING gist (area);

CREATE TABLE dispatch_schedules (
  merchant_id uuid PRIMARY KEY,
  timezone text NOT NULL,
  windows jsonb NOT NULL,
  closed_dates date[] NOT NULL,
  updated_at timestamptz(3) NOT NULL);
`

const pricesSql = `
-- Every version of every rate card; quotes and orders name the one that priced them.
CREATE TABLE rate_cards (
  id uuid NOT NULL,
  version int NOT NULL,
  is_current boolean NOT NULL,
  merchant_id uuid,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  vehicle_type text CHECK (vehicle_type IN ('motorcycle', 'car', 'van', 'truck')),
  active boolean NOT NULL,
  base_minor bigint NOT NULL CHECK (base_minor >= 0),
  per_km_minor bigint NOT NULL CHECK (per_km_minor >= 0),
  per_kg_minor bigint NOT NULL CHECK (per_kg_minor >= 0),
  fragile_minor bigint NOT NULL CHECK (fragile_minor >= 0),
  minimum_minor bigint NOT NULL CHECK (minimum_minor >= 0),
  surge_percent int NOT NULL CHECK (surge_percent >= 0),
  vat_percent int NOT NULL CHECK (vat_percent >= 0),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (id, version));
CREATE UNIQUE INDEX rate_cards_current ON rate_cards (id) WHERE is_current;
CREATE INDEX rate_cards_of_merchant ON rate_cards (merchant_id, vehicle_type) WHERE is_current AND active;

CREATE TABLE quotes (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  is_test boolean NOT NULL,
  fulfillment_mode text NOT NULL CHECK (fulfillment_mode IN ('freelancer', 'internal_fleet')),
  -- What was asked: points and parcel.
  request jsonb NOT NULL,
  -- What was answered; null for internal_fleet.
  fare jsonb,
  currency text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL);
CREATE INDEX quotes_of_merchant ON quotes (merchant_id, expires_at);
`

/** The area of a set that a point is in: of several the one with the highest priority, then the oldest. */
const areaOf = (table: string, where: string) => `
      (SELECT json_build_object('id', id, 'name', name) FROM ${table}
        WHERE ${where} AND ST_Covers(area, judged.point) ORDER BY priority DESC, created_at, id LIMIT 1)`

const surveySql = `
-- All that coverage and price need, as of one moment. Planning it anew would take as long as running it.
CREATE FUNCTION survey_delivery(
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
GRANT EXECUTE ON FUNCTION survey_delivery TO ${service}_worker;
`

/** Where is delivered, when, and for how much. */
export class Places extends SqlMigration {
  override up(): void {
    this.addSql(placesSql)
    this.addSql(pricesSql)
    this.addSql(surveySql)
    this.addSql(tenantTableSql({ service, table: 'dispatch_zones', appGrants: 'SELECT' }))
    this.addSql(recorderTableSql({ service, table: 'platform_geofences' }))
    this.addSql(tenantTableSql({ service, table: 'dispatch_schedules', appGrants: 'SELECT' }))
    this.addSql(recorderTableSql({ service, table: 'rate_cards' }))
    this.addSql(tenantTableSql({ service, table: 'quotes', appGrants: 'SELECT, INSERT, DELETE' }))
  }
}
