import type { Caller } from '@svc/grpc'
import { auditOf } from '../../audit-of.ts'
import type { Context } from '../../context.ts'
import { findSchedule, storeSchedule } from '../../db/schedules.ts'
import type { Schedule } from '../../domain/schedule.ts'
import { merchantOf } from '../merchant-of.ts'

/** Puts a schedule in the place of a merchant's present one. */
export async function replaceSchedule(
  ctx: Context,
  caller: Caller,
  merchantId: string,
  schedule: Schedule,
): Promise<Schedule> {
  await merchantOf(ctx, merchantId)
  return ctx.transact('every tenant', async (tx) => {
    const before = await findSchedule(tx.sql, merchantId)
    await storeSchedule(tx.sql, merchantId, schedule, tx.now)
    tx.publish(
      auditOf(caller, {
        action: 'merchant.dispatch_schedule_replace',
        resourceType: 'dispatch_schedule',
        resourceId: merchantId,
        merchantId,
        before: before ?? undefined,
        after: schedule,
      }),
    )
    return schedule
  })
}
