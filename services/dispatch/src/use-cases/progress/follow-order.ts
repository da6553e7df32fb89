import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { recordLeg } from '../../db/legs.ts'
import { riderOnTheWay } from '../../db/rider-on-the-way.ts'
import { metresBetween } from '../../domain/distance.ts'
import type { Job } from '../../domain/job.ts'
import { completedLeg } from '../../domain/leg.ts'
import { pickupOf } from '../../domain/progress.ts'
import { refreshEta } from './refresh-eta.ts'

/** What a change of the order means for legs, completions and estimates; answers the job to store. It is locked. */
export async function followOrder(ctx: Pick<Context, 'config'>, tx: Tx, before: Job | null, now: Job): Promise<Job> {
  const rider = now.riderId && (await riderOnTheWay(tx, now.riderId))
  if (!rider) return now
  let job = now
  if (job.acceptedAt && !before?.acceptedAt) {
    const pickup = pickupOf(job)
    job = { ...job, pickupLegMetres: pickup && rider.position && metresBetween(rider.position, pickup) }
  }
  if (job.pickedUpAt && !before?.pickedUpAt) await learn(ctx, tx, job, 'pickup', rider.vehicleType)
  if (job.status === 'delivered' && before?.status !== 'delivered') {
    await learn(ctx, tx, job, 'dropoff', rider.vehicleType)
    await tx.sql('UPDATE riders SET last_completed_at = greatest(last_completed_at, $2) WHERE id = $1', [
      job.riderId,
      tx.now,
    ])
  }
  return before?.status === job.status && before.riderId === job.riderId ? job : refreshEta(ctx, tx, job, rider)
}

/** Remembers how long the leg took that ends now, unless a position has shown its end before. */
async function learn(
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  job: Job,
  which: 'pickup' | 'dropoff',
  vehicleType: Parameters<typeof recordLeg>[2],
): Promise<void> {
  const leg = completedLeg(job, which, tx.now, config.roadFactor)
  if (leg) await recordLeg(tx, job.orderId, vehicleType, leg)
}
