import type { Fare } from '@svc/contracts/dispatch/v1/pricing_service'
import { ServiceError } from '@svc/errors'
import type { Context } from '../../context.ts'
import { coverageRefusal, type NamedPoint } from '../../domain/coverage.ts'
import type { Parcel } from '../../domain/parcel.ts'
import { assessDelivery } from './assess-delivery.ts'
import { priceDelivery } from './price-delivery.ts'
import { quoteExpiry } from './quote-expiry.ts'

/** The fare by the platform's areas and rate cards alone; it knows of no merchant. */
export async function previewFare(
  ctx: Pick<Context, 'config' | 'database' | 'router'>,
  { points, parcel }: { points: readonly NamedPoint[]; parcel: Parcel },
): Promise<{ fare: Fare; expiresAt: Date }> {
  if (!ctx.config.pricingEngineEnabled) throw new ServiceError('pricing_engine_disabled')
  const { coverage, way, at } = await assessDelivery(ctx, { merchantId: null, vehicle: parcel.vehicle, points })
  const refusal = coverageRefusal(coverage, () => 'outside_coverage')
  if (refusal) throw refusal
  const fare = await priceDelivery(ctx, { card: coverage.card!, way: way!, parcel })
  return { fare, expiresAt: quoteExpiry(at) }
}
