import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { findSchedule } from '../../db/schedules.ts'
import { survey } from '../../db/survey.ts'
import { judgeCoverage, type Point } from '../../domain/coverage.ts'
import type { Estimates } from '../../domain/estimates.ts'
import { priceOf } from '../../domain/fare.ts'
import { readParcel } from '../../domain/parcel.ts'
import { nextOpening } from '../../domain/schedule.ts'
import { estimatedLeg } from '../../domain/travel.ts'

interface ManyDeliveries {
  merchantId: string
  pickup: Point | null
  dropoffs: readonly Point[]
  opensFrom: Date | null
}

/**
 * Coverage and fares of many deliveries from one pickup, in one statement and as of one moment, by estimated distances: a
 * router is not asked five thousand times. A delivery whose points are not both known costs the least that any does.
 */
export async function estimateFares(
  ctx: Pick<Context, 'config' | 'database'>,
  _by: By,
  { merchantId, pickup, dropoffs, opensFrom }: ManyDeliveries,
): Promise<Estimates> {
  const { pricingEngineEnabled, roadFactor } = ctx.config
  const parcel = readParcel()
  const { vehicle } = parcel
  const points = [...(pickup ? [pickup] : []), ...dropoffs].map((point) => ({ ...point, name: 'point' as const }))
  const to = pickup ? dropoffs : []
  const found = await survey(ctx.database, { merchantId, vehicle, points, from: pickup, to })
  const outside = judgeCoverage(points, found).points.map(({ reason }) => reason === 'outside_zones')
  const isPickupOutside = pickup !== null && outside.shift() === true
  const { card } = found
  const feeOf = (metres: number): number | null =>
    card && pricingEngineEnabled ? priceOf(card, metres, parcel).feeMinor : null
  const fares = dropoffs.map((_, nth) => {
    const geodesicMetres = found.metres[nth]
    const metres = geodesicMetres === undefined ? null : estimatedLeg(geodesicMetres, roadFactor, vehicle).metres
    return { isOutside: outside[nth] === true, feeMinor: metres === null ? null : feeOf(metres) }
  })
  const schedule = opensFrom && (await findSchedule(ctx.database, merchantId))
  const opensAt = schedule ? nextOpening(schedule, opensFrom) : opensFrom
  return { card, isPickupOutside, fares, minimumFeeMinor: feeOf(0), opensAt }
}
