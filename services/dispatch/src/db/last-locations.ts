import type { Rider } from '../domain/rider.ts'
import type { Listed } from './listed.ts'
import { rowsOf, type Source } from './rows.ts'

export interface LastLocation {
  lat: number
  lng: number
  recordedAt: Date
}

export type LocatedRider = Rider & { lastLocation?: LastLocation }

/** The same riders with where they were last; as the worker role, which alone sees positions. */
export async function located(source: Source, { items, total }: Listed<Rider>): Promise<Listed<LocatedRider>> {
  if (items.length === 0) return { items, total }
  const locations = await rowsOf<LastLocation & { riderId: string }>(
    source,
    'SELECT rider_id, lat, lng, recorded_at FROM rider_positions WHERE rider_id = ANY($1)',
    [items.map(({ id }) => id)],
  )
  const lastOf = new Map(locations.map(({ riderId, ...location }) => [riderId, location]))
  return { items: items.map((rider) => ({ ...rider, lastLocation: lastOf.get(rider.id) })), total }
}
