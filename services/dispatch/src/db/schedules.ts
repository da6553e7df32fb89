import type { Tx } from '@svc/outbox'
import type { Schedule, ScheduleWindow } from '../domain/schedule.ts'

type Sql = Tx['sql']

/** The schedule of a merchant, or null when it has none: then dispatch is always open. */
export async function findSchedule(sql: Sql, merchantId: string): Promise<Schedule | null> {
  const { rows } = await sql<{ timezone: string; windows: ScheduleWindow[]; closedDates: string[] }>(
    `SELECT timezone, windows, closed_dates::text[] AS "closedDates" FROM dispatch_schedules WHERE merchant_id = $1`,
    [merchantId],
  )
  return rows[0] ?? null
}

/** Puts a schedule in the place of the merchant's present one. */
export async function storeSchedule(sql: Sql, merchantId: string, schedule: Schedule, at: Date): Promise<void> {
  await sql(
    `INSERT INTO dispatch_schedules (merchant_id, timezone, windows, closed_dates, updated_at)
     VALUES ($1, $2, $3, $4::date[], $5)
     ON CONFLICT (merchant_id) DO UPDATE SET timezone = excluded.timezone, windows = excluded.windows,
       closed_dates = excluded.closed_dates, updated_at = excluded.updated_at`,
    [merchantId, schedule.timezone, JSON.stringify(schedule.windows), schedule.closedDates, at],
  )
}
