import type { Fare } from '@svc/contracts/dispatch/v1/pricing_service'
import type { Context } from '../../context.ts'
import { priceOf } from '../../domain/fare.ts'
import type { Parcel } from '../../domain/parcel.ts'
import type { RateCard } from '../../domain/rate-card.ts'
import { fareMessage } from '../../messages/fare.ts'
import { measureWays, type Way } from './measure-ways.ts'

/** The fare of one delivery by a rate card; previews, quotes and orders alike. */
export async function priceDelivery(
  ctx: Pick<Context, 'config' | 'router'>,
  { card, way, parcel }: { card: RateCard; way: Way; parcel: Parcel },
): Promise<Fare> {
  const [leg] = await measureWays(ctx, [way], parcel.vehicle)
  return fareMessage({ card, parcel, leg: leg!, price: priceOf(card, leg!.metres, parcel) })
}
