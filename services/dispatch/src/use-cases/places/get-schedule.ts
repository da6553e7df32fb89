import type { Context } from '../../context.ts'
import { findSchedule } from '../../db/schedules.ts'
import type { Schedule } from '../../domain/schedule.ts'
import { merchantOf } from '../merchant-of.ts'

/** The schedule of a merchant; one that has set none is always open, in its own timezone. */
export async function getSchedule(ctx: Context, merchantId: string): Promise<Schedule> {
  const { timezone } = await merchantOf(ctx, merchantId)
  const schedule = await ctx.transact('every tenant', (tx) => findSchedule(tx.sql, merchantId))
  return schedule ?? { timezone, windows: [], closedDates: [] }
}
