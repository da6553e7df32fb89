import type { Schedule } from '../domain/schedule.ts'
import { rowOf, type Source, write } from './rows.ts'

/** The schedule of a merchant, or null when it has none: then dispatch is always open. */
export const findSchedule = (source: Source, merchantId: string): Promise<Schedule | null> =>
  rowOf<Schedule>(
    source,
    'SELECT timezone, windows, closed_dates::text[] AS closed_dates FROM dispatch_schedules WHERE merchant_id = $1',
    [merchantId],
  )

/** Puts a schedule in the place of the merchant's present one. */
export async function storeSchedule(source: Source, merchantId: string, schedule: Schedule, at: Date): Promise<void> {
  await write(
    source,
    `INSERT INTO dispatch_schedules (merchant_id, timezone, windows, closed_dates, updated_at)
     VALUES ($1, $2, $3, $4::date[], $5)
     ON CONFLICT (merchant_id) DO UPDATE SET timezone = excluded.timezone, windows = excluded.windows,
       closed_dates = excluded.closed_dates, updated_at = excluded.updated_at`,
    [merchantId, schedule.timezone, JSON.stringify(schedule.windows), schedule.closedDates, at],
  )
}
