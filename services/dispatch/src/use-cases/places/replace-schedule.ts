import type { Caller } from '@svc/grpc'
import { auditOf, type Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { lockSettings } from '../../db/merchant-rules.ts'
import { findSchedule, storeSchedule } from '../../db/schedules.ts'
import type { Schedule } from '../../domain/schedule.ts'
import { merchantOf } from '../merchant-of.ts'

/** Puts a schedule in the place of a merchant's present one; orders that wait are looked at again by it. */
export async function replaceSchedule(
  ctx: Context,
  caller: Caller,
  merchantId: string,
  schedule: Schedule,
): Promise<Schedule> {
  await merchantOf(ctx, merchantId)
  return ctx.transact('every tenant', async (tx) => {
    await lockSettings(tx, merchantId)
    const before = await findSchedule(tx.sql, merchantId)
    await storeSchedule(tx.sql, merchantId, schedule, tx.now)
    await lookAgain(tx, merchantId)
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

/** Whoever holds the lock of an order has not read the schedule yet. */
async function lookAgain(tx: Tx, merchantId: string): Promise<void> {
  await tx.sql(
    `UPDATE dispatch_jobs SET next_at = $2 WHERE order_id IN (
       SELECT order_id FROM dispatch_jobs
        WHERE merchant_id = $1 AND status = 'pending' AND search = 'idle' AND next_at > $2
          FOR UPDATE SKIP LOCKED)`,
    [merchantId, tx.now],
  )
}
