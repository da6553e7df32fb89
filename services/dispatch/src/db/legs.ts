import type { Vehicle } from '@svc/parcel'
import type { Tx } from '@svc/transact'
import { type Pace, tabledPace } from '../domain/eta.ts'
import { hourOfWeek, type Leg } from '../domain/leg.ts'
import { rowOf, write } from './rows.ts'

const ENOUGH_LEGS = 20
const LATEST_LEGS = 500

/** Remembers a completed leg; the first word on a leg counts. */
export async function recordLeg(tx: Tx, orderId: string, vehicleType: Vehicle, leg: Leg): Promise<void> {
  await write(
    tx,
    `INSERT INTO completed_legs (order_id, leg, vehicle_type, hour_of_week, metres, seconds, completed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [orderId, leg.leg, vehicleType, leg.hourOfWeek, leg.metres, leg.seconds, tx.now],
  )
}

/** The pace of a vehicle at this hour of the week: learnt once enough legs were completed in it, else from a table. */
export async function paceOf(tx: Tx, vehicleType: Vehicle): Promise<Pace> {
  const learnt = await rowOf<Pace & { legs: number }>(
    tx,
    `SELECT count(*)::int AS legs, percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds / metres) AS p50,
            percentile_cont(0.9) WITHIN GROUP (ORDER BY seconds / metres) AS p90
       FROM (SELECT seconds, metres FROM completed_legs WHERE vehicle_type = $1 AND hour_of_week = $2
              ORDER BY completed_at DESC LIMIT ${LATEST_LEGS}) AS latest`,
    [vehicleType, hourOfWeek(tx.now)],
  )
  const { legs, p50, p90 } = learnt!
  return legs >= ENOUGH_LEGS ? { p50, p90 } : tabledPace(vehicleType)
}
