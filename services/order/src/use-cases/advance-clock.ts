import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { bringTimersNearer, moveClock } from '../db/sandbox-clock.ts'
import { requireSimulator } from '../domain/simulator.ts'
import { clockAdvanced } from '../events.ts'

/**
 * Lets so much time pass for what is under way in the merchant's sandbox: here at once, elsewhere by the fact. Answers
 * what its clock shows from now on. What begins later goes by the time of day.
 */
export async function advanceClock(
  ctx: Context,
  { caller, scope: { merchantId } }: By<Tenant>,
  { seconds }: { seconds: number },
): Promise<Date> {
  requireSimulator(ctx.config, caller)
  const now = await ctx.transact({ merchantId, isTest: true }, async (tx) => {
    const { version, totalSeconds } = await moveClock(tx, merchantId, seconds)
    await bringTimersNearer(tx, merchantId, seconds)
    tx.publish(clockAdvanced({ merchantId, version, seconds }))
    return new Date(tx.now.getTime() + totalSeconds * 1_000)
  })
  ctx.simulator.wake()
  ctx.scenarios.wake()
  return now
}
