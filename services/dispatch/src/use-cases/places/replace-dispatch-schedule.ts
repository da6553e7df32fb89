import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lookAgainAtWaiting } from '../../db/jobs.ts'
import { lockSettings } from '../../db/merchant-rules.ts'
import { findSchedule, storeSchedule } from '../../db/schedules.ts'
import type { Schedule } from '../../domain/schedule.ts'
import { merchantOf } from '../remember-merchant.ts'

/** Puts a schedule in the place of a merchant's present one; orders that wait are looked at again by it. */
export async function replaceDispatchSchedule(
  ctx: Context,
  by: By,
  { merchantId, schedule }: { merchantId: string; schedule: Schedule },
): Promise<Schedule> {
  await merchantOf(ctx, merchantId)
  return ctx.transact('every tenant', async (tx) => {
    await lockSettings(tx, merchantId)
    const before = await findSchedule(tx, merchantId)
    await storeSchedule(tx, merchantId, schedule, tx.now)
    await lookAgainAtWaiting(tx, merchantId)
    tx.publish(
      auditOf(by, {
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
