import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { findSchedule } from '../../db/schedules.ts'
import type { Schedule } from '../../domain/schedule.ts'
import { merchantOf } from '../remember-merchant.ts'

/** The schedule of a merchant; one that has set none is always open, in its own timezone. */
export async function getDispatchSchedule(ctx: Context, _by: By, merchantId: string): Promise<Schedule> {
  const { timezone } = await merchantOf(ctx, merchantId)
  const schedule = await findSchedule(ctx.database, merchantId)
  return schedule ?? { timezone, windows: [], closedDates: [] }
}
