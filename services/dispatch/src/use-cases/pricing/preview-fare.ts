import type { Fare } from '@svc/contracts/dispatch/v1/pricing_service'
import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { coverageRefusal, type NamedPoint } from '../../domain/coverage.ts'
import { priceExpiry, priceOf } from '../../domain/fare.ts'
import type { Parcel } from '../../domain/parcel.ts'
import type { RateCard } from '../../domain/rate-card.ts'
import type { Way } from '../../domain/travel.ts'
import { fareMessage } from '../../messages/fare.ts'
import { measureWay } from '../../peers/measure-way.ts'
import { assessDelivery } from '../places/check-coverage.ts'

/** The fare by the platform's areas and rate cards alone; it knows of no merchant. */
export async function previewFare(
  ctx: Pick<Context, 'config' | 'surveys' | 'router'>,
  _by: By,
  { points, parcel }: { points: readonly NamedPoint[]; parcel: Parcel },
): Promise<{ fare: Fare; expiresAt: Date }> {
  if (!ctx.config.pricingEngineEnabled) throw new ServiceError('pricing_engine_disabled')
  const { coverage, way, at } = await assessDelivery(ctx, { merchantId: null, vehicle: parcel.vehicle, points })
  const refusal = coverageRefusal(coverage, () => 'outside_coverage')
  if (refusal) throw refusal
  const fare = await priceDelivery(ctx, { card: coverage.card!, way: way!, parcel })
  return { fare, expiresAt: priceExpiry(at) }
}

/** The fare of one delivery by a rate card; previews, quotes and orders alike. */
export async function priceDelivery(
  ctx: Pick<Context, 'config' | 'router'>,
  { card, way, parcel }: { card: RateCard; way: Way; parcel: Parcel },
): Promise<Fare> {
  const leg = await measureWay(ctx, way, parcel.vehicle)
  return fareMessage({ card, parcel, leg, price: priceOf(card, leg.metres, parcel) })
}
