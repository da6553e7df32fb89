import type { By, Tenant } from '@svc/grpc'
import type { Vehicle } from '@svc/parcel'
import type { Context } from '../../context.ts'
import { type Coverage, judgeCoverage, type NamedPoint } from '../../domain/coverage.ts'
import type { Way } from '../../domain/travel.ts'

/** Whether the merchant delivers at these points, and at a price. */
export async function checkCoverage(
  ctx: Context,
  { scope: { merchantId } }: By<Tenant>,
  { vehicle, points }: { vehicle: Vehicle; points: readonly NamedPoint[] },
): Promise<Coverage> {
  const { coverage } = await assessDelivery(ctx, { merchantId, vehicle, points })
  return coverage
}

export interface Assessment {
  coverage: Coverage
  /** From the pickup to the drop-off, when both are known. */
  way: Way | null
  /** When the database was asked, by its clock. */
  at: Date
  /** The merchant delivers by its own fleet. */
  isOwnFleet: boolean
}

/** The one judgement of where is delivered: preflight, preview, quote and order creation all ask here. */
export async function assessDelivery(
  { surveys }: Pick<Context, 'surveys'>,
  { merchantId, vehicle, points }: { merchantId: string | null; vehicle: Vehicle; points: readonly NamedPoint[] },
): Promise<Assessment> {
  const pickup = points.find(({ name }) => name === 'pickup') ?? null
  const dropoff = points.find(({ name }) => name === 'dropoff') ?? null
  const found = await surveys({
    merchantId,
    vehicle,
    points,
    from: pickup,
    to: pickup && dropoff ? [dropoff] : [],
  })
  const [geodesicMetres] = found.metres
  const way = pickup && dropoff && geodesicMetres !== undefined ? { pickup, dropoff, geodesicMetres } : null
  return { coverage: judgeCoverage(points, found), way, at: found.now, isOwnFleet: found.isOwnFleet }
}
