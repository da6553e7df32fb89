import type { EstimatedFare } from '@svc/contracts/dispatch/v1/pricing_service'
import { ServiceError } from '@svc/errors'
import type { Context } from '../../context.ts'
import { survey } from '../../db/survey.ts'
import { coverageRefusal, judgeCoverage, type NamedPoint, type Point } from '../../domain/coverage.ts'
import { minimumPrice, priceOf } from '../../domain/fare.ts'
import type { Parcel } from '../../domain/parcel.ts'
import type { RateCard } from '../../domain/rate-card.ts'
import { measureWays } from './measure-ways.ts'

interface Bulk {
  pickup: NamedPoint
  parcel: Parcel
  /** null: nobody knows where it is. */
  dropoffs: ReadonlyArray<Point | null>
}

/** Fees from one pickup to many drop-offs, in their order. Drop-offs are judged when their orders are created. */
export async function estimateFares(
  ctx: Context,
  merchantId: string,
  { pickup, parcel, dropoffs }: Bulk,
): Promise<{ fares: EstimatedFare[]; card: RateCard }> {
  if (!ctx.config.pricingEngineEnabled) throw new ServiceError('pricing_engine_disabled')
  const known = dropoffs.filter((dropoff) => dropoff !== null)
  const question = { merchantId, vehicle: parcel.vehicle, points: [pickup], from: pickup, to: known }
  const found = await survey(ctx.database, question)
  const coverage = judgeCoverage([pickup], found)
  const refusal = coverageRefusal(coverage, (_point, reason) =>
    reason === 'outside_zones' ? 'pickup_outside_coverage' : 'OUT_OF_COVERAGE_AREA',
  )
  if (refusal) throw refusal
  const card = coverage.card!
  const ways = known.map((dropoff, index) => ({ pickup, dropoff, geodesicMetres: found.metres[index]! }))
  const legs = (await measureWays(ctx, ways, parcel.vehicle)).values()
  const fares = dropoffs.map((dropoff): EstimatedFare => {
    if (!dropoff) return { fee_minor: minimumPrice(card), fee_basis: 'minimum' }
    return { fee_minor: priceOf(card, legs.next().value!.metres, parcel).feeMinor, fee_basis: 'distance' }
  })
  return { fares, card }
}
