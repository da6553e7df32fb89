import type { Fare } from '@svc/contracts/dispatch/v1/pricing_service'
import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { deliversByOwnFleet } from '../../db/merchants.ts'
import { findQuote, type Quote } from '../../db/quotes.ts'
import { coverageRefusal, type NamedPoint, type Point, type PointName } from '../../domain/coverage.ts'
import type { Parcel } from '../../domain/parcel.ts'
import { type Assessment, assessDelivery } from '../places/check-coverage.ts'
import { merchantOf } from '../remember-merchant.ts'
import { priceDelivery } from './preview-fare.ts'

interface OrderToPrice {
  merchantId: string
  points: readonly NamedPoint[]
  parcel: Parcel
  quoteId: string | null
}

export interface OrderPrice {
  /** Null where a point is missing, pricing is off, or the merchant's own fleet was quoted. */
  fare: Fare | null
  /** The merchant delivers by its own fleet. */
  isOwnFleet: boolean
}

/**
 * Judges the coverage of an order about to be created, and its fare: the one that its quote pinned, as it was told,
 * else the present one.
 */
export async function priceOrder(ctx: Context, { scope }: By, order: OrderToPrice): Promise<OrderPrice> {
  const { merchantId, points, parcel, quoteId } = order
  const tenant = scope === 'every tenant' ? { merchantId, isTest: null } : scope
  const quote = quoteId === null ? null : await pinnedQuote(ctx, tenant, quoteId, order)
  if (points.length === 0) return { fare: null, isOwnFleet: await deliversByOwnFleet(ctx.database, merchantId) }

  const assessed = await assessDelivery(ctx, { merchantId: tenant.merchantId, vehicle: parcel.vehicle, points })
  return { fare: await fareOf(ctx, order, quote, assessed), isOwnFleet: assessed.isOwnFleet }
}

async function fareOf(
  ctx: Context,
  { parcel }: OrderToPrice,
  quote: Quote | null,
  { coverage, way }: Assessment,
): Promise<Fare | null> {
  // A quote brings the price of its time: it needs no rate card of today.
  const refusal = quote && coverage.reason === 'no_rate_card' ? null : coverageRefusal(coverage)
  if (refusal) throw refusal
  if (quote) return quote.fare
  if (!way || !ctx.config.pricingEngineEnabled) return null
  return priceDelivery(ctx, { card: coverage.card!, way, parcel })
}

/** A quote that holds for this order; throws quote_mismatch, also for one of another merchant, or quote_expired. */
async function pinnedQuote(ctx: Context, tenant: Tenant, id: string, order: OrderToPrice): Promise<Quote> {
  const { quote, now } = await ctx.transact(tenant, async (tx) => ({ quote: await findQuote(tx, id), now: tx.now }))
  const isOfEnvironment = tenant.isTest === null || quote?.isTest === tenant.isTest
  if (!quote || !isOfEnvironment || !(await fits(ctx, quote, order))) throw new ServiceError('quote_mismatch')
  if (quote.expiresAt <= now) throw new ServiceError('quote_expired', { details: { expires_at: quote.expiresAt } })
  return quote
}

async function fits(
  ctx: Context,
  { merchantId, fulfillmentMode, request, fare }: Quote,
  order: OrderToPrice,
): Promise<boolean> {
  const given = (name: PointName): Point | undefined => order.points.find((point) => point.name === name)
  // The merchant's own fleet costs nothing, so only a merchant that delivers by it may pin that.
  if (fulfillmentMode === 'internal_fleet')
    return (await merchantOf(ctx, merchantId)).fulfillmentMode === fulfillmentMode
  return (
    isSame(request.pickup, given('pickup')) &&
    isSame(request.dropoff, given('dropoff')) &&
    fare?.vehicle_type === order.parcel.vehicle
  )
}

const isSame = (a: Point | undefined, b: Point | undefined): boolean => a?.lat === b?.lat && a?.lng === b?.lng
