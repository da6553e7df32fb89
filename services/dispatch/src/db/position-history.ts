import type { Database } from '@svc/database'

export interface PastPosition {
  lat: number
  lng: number
  accuracy_m: number | null
  recorded_at: Date
}

export interface HistoryQuery {
  riderId: string
  since: Date | null
  until: Date | null
  order: 'asc' | 'desc'
  limit: number
}

/** The logged positions of a rider between two times, both included. */
export async function positionHistory(
  { worker }: Pick<Database, 'worker'>,
  { riderId, since, until, order, limit }: HistoryQuery,
): Promise<PastPosition[]> {
  const { rows } = await worker.query<PastPosition>(
    `SELECT lat, lng, accuracy_m, recorded_at FROM rider_location_log
      WHERE rider_id = $1 AND recorded_at >= coalesce($2, '-infinity'::timestamptz)
        AND recorded_at <= coalesce($3, 'infinity'::timestamptz)
      ORDER BY recorded_at ${order === 'asc' ? 'ASC' : 'DESC'} LIMIT $4`,
    [riderId, since, until, limit],
  )
  return rows
}

/** Whether the rider is of the merchant's fleet. */
export async function isOfFleet(
  { worker }: Pick<Database, 'worker'>,
  riderId: string,
  merchantId: string,
): Promise<boolean> {
  const { rowCount } = await worker.query('SELECT FROM riders WHERE id = $1 AND merchant_id = $2', [
    riderId,
    merchantId,
  ])
  return rowCount === 1
}
