import type { AreaInput } from '../domain/area.ts'
import { rowsOf, type Source, write } from './rows.ts'

export interface Area {
  id: string
  /** null: the platform's. */
  merchantId: string | null
  name: string
  active: boolean
  priority: number
  geometryJson: string
  createdAt: Date
}

/** A merchant's zones, or the platform's geofences where there is no merchant. */
export type AreaSet = { merchantId: string | null }

/** An area that is stored with an id of its own. */
export type NewArea = AreaInput & { id: string; createdAt: Date }

/** Where a set is kept, and how its rows are told from others. */
const placeOf = ({ merchantId }: AreaSet) =>
  merchantId === null
    ? { table: 'platform_geofences', merchantColumn: 'NULL::uuid', where: 'true', params: [] }
    : { table: 'dispatch_zones', merchantColumn: 'merchant_id', where: 'merchant_id = $1', params: [merchantId] }

/** The areas of a set, highest priority first, then oldest first. */
export function findAreas(source: Source, set: AreaSet, { activeOnly = false } = {}): Promise<Area[]> {
  const { table, merchantColumn, where, params } = placeOf(set)
  return rowsOf<Area>(
    source,
    `SELECT id, ${merchantColumn} AS merchant_id, name, active, priority, geometry::text AS geometry_json, created_at
       FROM ${table} WHERE ${where} ${activeOnly ? 'AND active' : ''} ORDER BY priority DESC, created_at, id`,
    params,
  )
}

/** Makes every other transaction that would replace the set wait for the end of this one. */
export async function lockAreas(source: Source, { merchantId }: AreaSet): Promise<void> {
  await write(source, `SELECT pg_advisory_xact_lock(hashtextextended('areas:' || $1, 0))`, [merchantId ?? 'platform'])
}

/** Why geometries are no areas, by their index: rings that cross, holes outside, and the like. */
export const invalidGeometries = (
  source: Source,
  areas: readonly AreaInput[],
): Promise<Array<{ index: number; reason: string }>> =>
  rowsOf<{ index: number; reason: string }>(
    source,
    `SELECT place::int - 1 AS index, ST_IsValidReason(area) AS reason
       FROM unnest($1::text[]) WITH ORDINALITY AS given (geometry, place),
            LATERAL (SELECT ST_GeomFromGeoJSON(geometry) AS area OFFSET 0) AS read
      WHERE NOT ST_IsValid(area) ORDER BY place`,
    [geometriesOf(areas)],
  )

/** Puts these areas in the place of the whole set. */
export async function replaceAreas(source: Source, set: AreaSet, areas: readonly NewArea[]): Promise<void> {
  const { table, where, params } = placeOf(set)
  await write(source, `DELETE FROM ${table} WHERE ${where}`, params)
  const [column, value] = set.merchantId === null ? ['', ''] : [', merchant_id', ', $7::uuid']
  await write(
    source,
    `INSERT INTO ${table} (id, name, active, priority, created_at, geometry, area${column})
     SELECT id, name, active, priority, created_at, geometry::json,
            ST_Multi(ST_SetSRID(ST_GeomFromGeoJSON(geometry), 4326))${value}
       FROM unnest($1::uuid[], $2::text[], $3::boolean[], $4::int[], $5::timestamptz[], $6::text[])
              AS given (id, name, active, priority, created_at, geometry)`,
    [
      areas.map(({ id }) => id),
      areas.map(({ name }) => name),
      areas.map(({ active }) => active),
      areas.map(({ priority }) => priority),
      areas.map(({ createdAt }) => createdAt),
      geometriesOf(areas),
      ...params,
    ],
  )
}

const geometriesOf = (areas: readonly AreaInput[]): string[] => areas.map(({ geometry }) => JSON.stringify(geometry))
