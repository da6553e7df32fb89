import { SANDBOX_RIDER } from '@svc/credentials'
import { batched, type Database } from '@svc/database'
import { DatabaseError } from 'pg'
import type { NewPosition } from '../domain/new-position.ts'
import type { RiderPosition } from '../domain/rider-position.ts'
import { ordersUnderWay } from './live-positions.ts'
import { rowOf, type Source } from './rows.ts'

export interface Report {
  riderId: string
  /** The merchant that reports about the rider; null: the rider does. */
  merchantId: string | null
  /** Whose orders it concerns, where it is about the shared sandbox rider; null: nobody's. */
  tenantId: string | null
  isTest: boolean | null
  positions: readonly NewPosition[]
}

export interface Recorded {
  /** Where the rider is after the report; null before the first position that counts. */
  position: RiderPosition | null
}

/** Stores the positions of a report; null when its sender knows no such rider. */
export type PositionLog = (report: Report) => Promise<Recorded | null>

interface Row extends RiderPosition {
  nth: number
  has_moved: boolean
  seq: number
}

/** Reports that share a statement; each has 1 to 100 positions. */
const MAX_TOGETHER = 100

/**
 * How much older a report of the rider's own may be than a merchant's and still be the present one: a merchant with the rider in
 * its fleet does not talk over it.
 */
const OWN_WORD = "interval '60 seconds'"
const RANK = (row: string) => `(${row}.recorded_at + CASE WHEN ${row}.by_rider THEN ${OWN_WORD} ELSE interval '0' END)`

/**
 * Of each report: may its sender speak for the rider? Then all its positions go to the log, but for those of the sandbox
 * rider, which anybody may report without end, and which move the orders of that tenant alone. Times ahead of the clock
 * count as now. Of a rider's positions the latest becomes the present one, the rider's own before a merchant's of the same
 * minute, unless it is older than that, or was further ahead of the clock than clocks are wrong.
 */
const RECORD = `
WITH reports AS MATERIALIZED (
  SELECT report.nth, r.id AS rider_id, r.merchant_id AS fleet_id, report.tenant_id,
         r.id = '${SANDBOX_RIDER.id}' AS is_shared,
         report.merchant_id IS NULL AND r.id <> '${SANDBOX_RIDER.id}' AS by_rider
    FROM unnest($1::uuid[], $2::uuid[], $3::boolean[], $12::uuid[]) WITH ORDINALITY
           AS report (rider_id, merchant_id, is_test, tenant_id, nth)
    JOIN riders r ON r.id = report.rider_id
   WHERE report.merchant_id IS NULL
      OR CASE WHEN report.is_test THEN r.id = '${SANDBOX_RIDER.id}' ELSE r.merchant_id = report.merchant_id END),
clock AS MATERIALIZED (SELECT app_now()::timestamptz(3) AS now),
received AS MATERIALIZED (
  SELECT point.nth, reports.rider_id, reports.by_rider, reports.is_shared, point.lat, point.lng, point.accuracy_m, point.speed_mps, point.heading_deg,
         point.battery_pct, clock.now AS received_at,
         -- Of two that count as now, the later one by its own clock is the later one.
         coalesce(to_timestamp(point.recorded_ms / 1000)::timestamptz(3), clock.now) AS stated_at,
         least(to_timestamp(point.recorded_ms / 1000)::timestamptz(3), clock.now) AS recorded_at
    FROM unnest($4::int[], $5::float8[], $6::float8[], $7::float8[], $8::float8[], $9::float8[], $10::float8[],
                $11::float8[]) WITH ORDINALITY
           AS point (report, lat, lng, accuracy_m, speed_mps, heading_deg, battery_pct, recorded_ms, nth)
    JOIN reports ON reports.nth = point.report
   CROSS JOIN clock),
logged AS (
  INSERT INTO rider_location_log
         (rider_id, recorded_at, received_at, lat, lng, accuracy_m, speed_mps, heading_deg)
  SELECT rider_id, recorded_at, received_at, lat, lng, accuracy_m, speed_mps, heading_deg FROM received
   WHERE NOT is_shared),
latest AS (
  SELECT DISTINCT ON (rider_id) * FROM received
   WHERE stated_at <= received_at + interval '60 seconds'
   ORDER BY rider_id, ${RANK('received')} DESC, stated_at DESC, nth DESC),
moved AS (
  -- In the order of the ids, so that two replicas never wait for each other in a circle.
  INSERT INTO rider_positions AS present
         (rider_id, place, lat, lng, accuracy_m, speed_mps, heading_deg, battery_pct, recorded_at, received_at, by_rider)
  SELECT rider_id, st_point(lng, lat, 4326)::geography, lat, lng, accuracy_m, speed_mps, heading_deg, battery_pct,
         recorded_at, received_at, by_rider
    FROM latest ORDER BY rider_id
  ON CONFLICT (rider_id) DO UPDATE SET
    place = excluded.place, lat = excluded.lat, lng = excluded.lng, accuracy_m = excluded.accuracy_m,
    speed_mps = excluded.speed_mps, heading_deg = excluded.heading_deg, battery_pct = excluded.battery_pct,
    recorded_at = excluded.recorded_at, received_at = excluded.received_at, by_rider = excluded.by_rider,
    seq = present.seq + 1
  WHERE ${RANK('present')} <= ${RANK('excluded')}
  RETURNING *),
present AS (
  SELECT *, true AS has_moved FROM moved
  UNION ALL
  SELECT *, false FROM rider_positions
   WHERE rider_id IN (SELECT rider_id FROM reports) AND rider_id NOT IN (SELECT rider_id FROM moved))
SELECT reports.nth, reports.rider_id, reports.fleet_id, p.has_moved, p.lat, p.lng, p.accuracy_m, p.heading_deg,
       p.speed_mps, p.recorded_at, p.received_at, p.seq,
       ${ordersUnderWay('reports.rider_id', '(NOT reports.is_shared OR a.merchant_id = reports.tenant_id)')} AS orders
  FROM reports LEFT JOIN present p USING (rider_id)
 ORDER BY reports.nth`

/**
 * The way in for positions: durable when it answers. Reports that come while others are being stored share the next
 * statement, so that it keeps up with as many as come; a report never suffers for another. `onMoved` hears of each rider
 * whose present position changed.
 */
export function positionLog(
  { worker }: Pick<Database, 'worker'>,
  onMoved: (moved: RiderPosition[]) => void,
): PositionLog {
  async function together(reports: readonly Report[]): Promise<Array<Recorded | null>> {
    const { rows } = await worker.query<Row>({ name: 'record_positions', text: RECORD, values: parameters(reports) })
    const recorded: Array<Recorded | null> = reports.map(() => null)
    const moved = new Map<string, RiderPosition>()
    for (const { nth, has_moved, ...position } of rows) {
      recorded[nth - 1] = { position: position.seq === null ? null : position }
      // Reports about the sandbox rider concern the orders of one tenant each.
      const others = moved.get(position.rider_id)?.orders ?? []
      const orders = new Map([...others, ...position.orders].map((order) => [order.order_id, order]))
      if (has_moved) moved.set(position.rider_id, { ...position, orders: [...orders.values()] })
    }
    if (moved.size > 0) onMoved([...moved.values()])
    return recorded
  }
  return batched<Report, Recorded | null>({
    limit: MAX_TOGETHER,
    together,
    alone: async (report) => (await together([report]))[0] as Recorded | null,
    // What the server itself refuses it has rolled back.
    isUndone: (error) => error instanceof DatabaseError,
  })
}

function parameters(reports: readonly Report[]): unknown[][] {
  const points = reports.flatMap(({ positions }, index) =>
    positions.map((position) => ({ report: index + 1, position })),
  )
  return [
    reports.map(({ riderId }) => riderId),
    reports.map(({ merchantId }) => merchantId),
    reports.map(({ isTest }) => isTest),
    points.map(({ report }) => report),
    points.map(({ position }) => position.lat),
    points.map(({ position }) => position.lng),
    points.map(({ position }) => position.accuracyM),
    points.map(({ position }) => position.speedMps),
    points.map(({ position }) => position.headingDeg),
    points.map(({ position }) => position.batteryPct),
    points.map(({ position }) => position.recordedAt?.getTime() ?? null),
    reports.map(({ tenantId }) => tenantId),
  ]
}

/** Makes the partitions of the days ahead and drops those that are older than they are kept; answers how many of each. */
export async function keepPartitions(
  source: Source,
  daysAhead: number,
  daysKept: number,
): Promise<{ created: number; dropped: number }> {
  const kept = await rowOf<{ created: number; dropped: number }>(
    source,
    'SELECT * FROM rider_location_log_keep($1, $2)',
    [daysAhead, daysKept],
  )
  return kept!
}
