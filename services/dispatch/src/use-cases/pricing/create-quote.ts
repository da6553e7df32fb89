import { randomUUID } from 'node:crypto'
import type { CreateQuoteRequest, Fare, InternalRouting, QuoteFunds } from '@svc/contracts/dispatch/v1/pricing_service'
import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { VEHICLES } from '@svc/parcel'
import type { Context } from '../../context.ts'
import { findFleetRiders } from '../../db/fleet-riders.ts'
import type { FulfillmentMode } from '../../db/merchants.ts'
import { type Quote, storeQuote } from '../../db/quotes.ts'
import { coverageRefusal, type NamedPoint } from '../../domain/coverage.ts'
import { priceExpiry } from '../../domain/fare.ts'
import type { Parcel } from '../../domain/parcel.ts'
import { assessDelivery } from '../places/check-coverage.ts'
import { merchantOf } from '../remember-merchant.ts'
import { priceDelivery } from './preview-fare.ts'

interface QuoteInput {
  fulfillmentMode: FulfillmentMode
  points: readonly NamedPoint[]
  parcel: Parcel
  /** As it was asked, to be kept. */
  request: CreateQuoteRequest
}

interface Answer {
  fare: Fare | null
  routing: InternalRouting | null
  currency: string
  /** Whether the merchant can bear it now; null for its own fleet. */
  funds: QuoteFunds | null
}

const SUGGESTED_RIDERS = 5

/**
 * A price that holds for 15 minutes, and whether the merchant's wallet bears it now; for its own fleet, who of it could
 * go. Throws service_unavailable while the wallet cannot be asked.
 */
export async function createQuote(
  ctx: Context,
  by: By<Tenant>,
  input: QuoteInput,
): Promise<Pick<Answer, 'routing' | 'funds'> & { quote: Quote }> {
  if (!ctx.config.pricingEngineEnabled) throw new ServiceError('pricing_engine_disabled')
  const { fare, routing, currency, funds } = await (input.fulfillmentMode === 'internal_fleet'
    ? routeInternally(ctx, by, input)
    : quoteFare(ctx, by, input))
  const { scope } = by
  const quote = await ctx.transact(scope, async (tx) => {
    const { fulfillmentMode, request } = input
    const issued: Quote = {
      id: randomUUID(),
      merchantId: scope.merchantId,
      isTest: scope.isTest ?? false,
      fulfillmentMode,
      request,
      fare,
      currency,
      createdAt: tx.now,
      expiresAt: priceExpiry(tx.now),
    }
    await storeQuote(tx, issued)
    return issued
  })
  return { quote, routing, funds }
}

async function quoteFare(ctx: Context, by: By<Tenant>, { points, parcel }: QuoteInput): Promise<Answer> {
  const { merchantId, isTest } = by.scope
  const { coverage, way } = await assessDelivery(ctx, { merchantId, vehicle: parcel.vehicle, points })
  const refusal = coverageRefusal(coverage, (point, reason) =>
    point === 'pickup' && reason === 'outside_zones' ? 'pickup_outside_coverage' : 'OUT_OF_COVERAGE_AREA',
  )
  if (refusal) throw refusal
  const card = coverage.card!
  const fare = await priceDelivery(ctx, { card, way: way!, parcel })
  const payer = { merchantId, isTest: isTest === true }
  const funds = await ctx.wallet.checkFunds(payer, fare.fee_minor, by)
  return { fare, routing: null, currency: card.currency, funds }
}

async function routeInternally(ctx: Context, { scope }: By<Tenant>, { points, parcel }: QuoteInput): Promise<Answer> {
  const { riderKycRequired: isKycRequired, riderMaxActiveOrders: maxActiveOrders } = ctx.config
  const [{ currency }, { available, riderIds }] = await Promise.all([
    merchantOf(ctx, scope.merchantId),
    findFleetRiders(ctx.database, {
      merchantId: scope.merchantId,
      isTest: scope.isTest === true,
      vehicles: VEHICLES.slice(VEHICLES.indexOf(parcel.vehicle)),
      near: points.find(({ name }) => name === 'pickup') ?? null,
      isKycRequired,
      maxActiveOrders,
      limit: SUGGESTED_RIDERS,
    }),
  ])
  const note = available === 0 ? 'Nobody of the fleet is free now.' : 'Free riders of the fleet, the best placed first.'
  const routing = { fleet_riders_available: available, suggested_rider_ids: riderIds, note }
  return { fare: null, currency, routing, funds: null }
}
