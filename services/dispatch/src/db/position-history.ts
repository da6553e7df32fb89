import { rowOf, rowsOf, type Source } from './rows.ts'

export interface PastPosition {
  lat: number
  lng: number
  accuracyM: number | null
  recordedAt: Date
}

export interface HistoryQuery {
  riderId: string
  since: Date | null
  until: Date | null
  order: 'asc' | 'desc'
  limit: number
}

/** The logged positions of a rider between two times, both included. */
export const positionHistory = (
  source: Source,
  { riderId, since, until, order, limit }: HistoryQuery,
): Promise<PastPosition[]> =>
  rowsOf<PastPosition>(
    source,
    `SELECT lat, lng, accuracy_m, recorded_at FROM rider_location_log
      WHERE rider_id = $1 AND recorded_at >= coalesce($2, '-infinity'::timestamptz)
        AND recorded_at <= coalesce($3, 'infinity'::timestamptz)
      ORDER BY recorded_at ${order === 'asc' ? 'ASC' : 'DESC'} LIMIT $4`,
    [riderId, since, until, limit],
  )

export interface CarrierPosition {
  lat: number
  lng: number
  recordedAt: Date
  /** Of the order. */
  status: string
}

/** Where the rider is to whom the order is assigned, or null. */
export const positionOfCarrier = (source: Source, orderId: string, riderId: string): Promise<CarrierPosition | null> =>
  rowOf<CarrierPosition>(
    source,
    `SELECT j.status, p.lat, p.lng, p.recorded_at
       FROM dispatch_jobs j JOIN rider_positions p ON p.rider_id = j.rider_id
      WHERE j.order_id = $1 AND j.rider_id = $2`,
    [orderId, riderId],
  )
