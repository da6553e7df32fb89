import type { Context } from '../context.ts'

export interface LastLocation {
  lat: number
  lng: number
  recordedAt: Date
}

/** Where these riders were last, by their ids. */
export async function lastLocations(ctx: Context, riderIds: readonly string[]): Promise<Map<string, LastLocation>> {
  if (riderIds.length === 0) return new Map()
  const { rows } = await ctx.database.worker.query<LastLocation & { id: string }>(
    'SELECT rider_id AS id, lat, lng, recorded_at AS "recordedAt" FROM rider_positions WHERE rider_id = ANY($1)',
    [riderIds],
  )
  return new Map(rows.map(({ id, ...location }) => [id, location]))
}
