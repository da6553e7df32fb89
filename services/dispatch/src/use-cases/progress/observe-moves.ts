import type { Vehicle } from '@svc/parcel'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { jobsCarried, lockJob, saveJob } from '../../db/jobs.ts'
import { paceOf, recordLeg } from '../../db/legs.ts'
import { riderOnTheWay } from '../../db/rider-on-the-way.ts'
import type { Point } from '../../domain/coverage.ts'
import { estimate, hasMoved } from '../../domain/eta.ts'
import type { Job } from '../../domain/job.ts'
import { completedLeg } from '../../domain/leg.ts'
import { type Move, type Sighting, sightings } from '../../domain/progress.ts'
import type { RiderPosition } from '../../domain/rider-position.ts'
import { isTerminal } from '../../domain/terminal.ts'
import { openProgress } from './record-progress.ts'

export type Moved = Pick<RiderPosition, 'rider_id' | 'lat' | 'lng' | 'recorded_at' | 'orders'>

/** Estimates of one order are made anew at most this often. */
const ETA_EVERY_MS = 15_000
/** Estimates that moved by less are not worth a word. */
const NOTEWORTHY_SECONDS = 60
/** Orders looked at the same time. */
const LANES = 4
const SIGHTED = {
  arrived_pickup: 'arrivedPickupAt',
  departed: 'departedAt',
  arrived_dropoff: 'arrivedDropoffAt',
} as const
const LEG_OF = { arrived_pickup: 'pickup', arrived_dropoff: 'dropoff' } as const

/**
 * Notices what new positions show of orders under way: departures, arrivals, other estimates. What goes wrong is logged,
 * never thrown: the next position shows it again.
 */
export async function observeMoves(ctx: Context, moved: readonly Moved[]): Promise<void> {
  try {
    const work = (await noteworthy(ctx, moved.map(moveOf))).values()
    const lane = async () => {
      for (const { orderId, moves } of work) {
        for (const move of moves) await ctx.transact('every tenant', (tx) => observe(ctx, tx, orderId, move))
        ctx.intents.wake()
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  } catch (err) {
    ctx.logger.error({ err }, 'positions could not be related to orders')
  }
}

/** A position, and the orders that it concerns. */
type Carrying = Move & { orderIds: string[] }

const moveOf = ({ rider_id, lat, lng, recorded_at, orders }: Moved): Carrying => ({
  riderId: rider_id,
  lat,
  lng,
  recordedAt: recorded_at,
  orderIds: orders.map(({ order_id }) => order_id),
})

/** Orders of which the positions may show something new, with those positions, found without any lock. */
async function noteworthy(
  ctx: Context,
  moves: readonly Carrying[],
): Promise<Array<{ orderId: string; moves: Carrying[] }>> {
  const jobs = await jobsCarried(
    ctx.database,
    moves.flatMap(({ orderIds }) => orderIds),
  )
  return jobs.flatMap(({ now, ...job }) => {
    const ofRider = moves.filter(({ orderIds }) => orderIds.includes(job.orderId))
    const telling = isEtaDue(job, now) ? ofRider : ofRider.filter((move) => seen(ctx, job, move).length > 0)
    return telling.length > 0 ? [{ orderId: job.orderId, moves: telling }] : []
  })
}

async function observe(ctx: Context, tx: Tx, orderId: string, move: Move): Promise<void> {
  const rider = await riderOnTheWay(tx, move.riderId)
  let job = await lockJob(tx, orderId)
  if (!job || !rider || job.riderId !== move.riderId) return
  const news = seen(ctx, job, move)
  for (const sighting of news) {
    await openProgress(tx, job, sighting)
    const leg = sighting !== 'departed' && completedLeg(job, LEG_OF[sighting], tx.now, ctx.config.roadFactor)
    if (leg) await recordLeg(tx, orderId, rider.vehicleType, leg)
    job = { ...job, [SIGHTED[sighting]]: tx.now }
  }
  if (news.length === 0 && !isEtaDue(job, tx.now)) return
  await saveJob(tx, await refreshEta(ctx, tx, job, { ...rider, position: move }))
}

const seen = ({ config }: Context, job: Job, move: Move): Sighting[] =>
  sightings(job, move, { departureM: config.inTransitDepartureMetres, arrivalM: config.arrivalMetres })

function isEtaDue(job: Job, now: Date): boolean {
  if (isTerminal(job.status) || !(job.acceptedAt || job.pickedUpAt)) return false
  return !job.eta || now.getTime() - Date.parse(job.eta.computed_at) >= ETA_EVERY_MS
}

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
