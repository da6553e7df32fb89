import type { Database } from '@svc/database'
import type { Tx } from '@svc/transact'
import type { Point } from '../domain/coverage.ts'
import type { RiderPosition } from '../domain/rider-position.ts'
import { write } from './rows.ts'

/** The orders that a rider has under way, as JSON; of `rider_active a` those that fulfil the condition. */
export const ordersUnderWay = (riderId: string, condition = 'true'): string => `
  (SELECT coalesce(json_agg(json_build_object(
            'order_id', a.order_id, 'merchant_id', a.merchant_id, 'is_test', j.is_test, 'status', j.status,
            'is_assigned', coalesce(j.rider_id = a.rider_id, false)) ORDER BY a.since, a.order_id), '[]')
     FROM rider_active a JOIN dispatch_jobs j USING (order_id) WHERE a.rider_id = ${riderId} AND ${condition})`

const LIVE = `
SELECT r.id AS rider_id, r.merchant_id AS fleet_id, p.lat, p.lng, p.accuracy_m, p.heading_deg, p.speed_mps,
       p.recorded_at, p.received_at, p.seq, ${ordersUnderWay('r.id')} AS orders
  FROM riders r JOIN rider_positions p ON p.rider_id = r.id
 WHERE r.id IN (SELECT id FROM riders WHERE merchant_id = $1 AND $2 IS DISTINCT FROM true
                UNION SELECT a.rider_id FROM rider_active a JOIN dispatch_jobs j USING (order_id)
                       WHERE a.merchant_id = $1 AND ($2::boolean IS NULL OR j.is_test = $2))
   AND p.recorded_at >= (SELECT app_now() - make_interval(secs => $3))
 ORDER BY r.id`

/** Where the riders are whom a merchant may watch, as far as they were heard of lately; rows as messages name them. */
export async function livePositions(
  { worker }: Pick<Database, 'worker'>,
  viewer: { merchantId: string; isTest: boolean | null },
  maxAgeSeconds: number,
): Promise<RiderPosition[]> {
  return (await worker.query<RiderPosition>(LIVE, [viewer.merchantId, viewer.isTest, maxAgeSeconds])).rows
}

/** The rider is seen now where it was last, or for the first time at the point. */
export async function seePosition(tx: Tx, riderId: string, { lat, lng }: Point): Promise<void> {
  await write(
    tx,
    `INSERT INTO rider_positions (rider_id, place, lat, lng, recorded_at, received_at, by_rider)
     SELECT id, ST_SetSRID(ST_MakePoint($3, $2), 4326), $2, $3, $4, $4, false FROM riders WHERE id = $1
     ON CONFLICT (rider_id) DO UPDATE SET recorded_at = excluded.recorded_at, received_at = excluded.received_at,
       by_rider = false`,
    [riderId, lat, lng, tx.now],
  )
}
