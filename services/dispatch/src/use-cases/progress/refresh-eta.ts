import type { Tx } from '@svc/outbox'
import type { Vehicle } from '@svc/parcel'
import type { Context } from '../../context.ts'
import { paceOf } from '../../db/legs.ts'
import type { Point } from '../../domain/coverage.ts'
import { estimate, hasMoved } from '../../domain/eta.ts'
import type { Job } from '../../domain/job.ts'
import { openProgress } from './open-progress.ts'

/** Estimates that moved by less are not worth a word. */
const NOTEWORTHY_SECONDS = 60

/** The job with its estimate made anew; the order will hear of it when it moved noticeably. The job is locked. */
export async function refreshEta(
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  job: Job,
  rider: { vehicleType: Vehicle; position: Point | null },
): Promise<Job> {
  const pace = await paceOf(tx, rider.vehicleType)
  const eta = estimate(job, rider.position, pace, config.roadFactor, tx.now)
  if (!eta) return job
  const computed_at = tx.now.toISOString()
  if (job.eta && !hasMoved(job.eta, eta, NOTEWORTHY_SECONDS)) return { ...job, eta: { ...job.eta, computed_at } }
  await openProgress(tx, job, 'eta', eta)
  return { ...job, eta: { ...eta, computed_at } }
}
