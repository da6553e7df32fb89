import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { offersOf } from '../../db/offers.ts'
import { roundsOf } from '../../db/rounds.ts'
import { withJobs } from '../../db/shown-offers.ts'
import type { DispatchTrace } from '../../messages/dispatch-trace.ts'
import { jobOf } from './remember-order.ts'

/** Why each rider was asked or left out, round by round. */
export async function getDispatchTrace(ctx: Context, by: By, orderId: string): Promise<DispatchTrace> {
  await jobOf(ctx, by, orderId)
  return ctx.transact('every tenant', async (tx) => {
    const rounds = await roundsOf(tx, orderId)
    const offers = (await offersOf(tx, orderId)).filter(({ kind }) => kind === 'auto')
    return {
      orderId,
      rounds,
      offers: await withJobs(
        tx,
        offers.toSorted((a, b) => a.rank - b.rank),
      ),
    }
  })
}
