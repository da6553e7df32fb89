import { randomUUID } from 'node:crypto'
import type { CreateQuoteRequest, Fare, InternalRouting } from '@svc/contracts/dispatch/v1/pricing_service'
import { ServiceError } from '@svc/errors'
import type { Tenant } from '@svc/grpc'
import { VEHICLES } from '@svc/parcel'
import type { Context } from '../../context.ts'
import { findFleetRiders } from '../../db/fleet-riders.ts'
import { type FulfillmentMode, type Quote, storeQuote } from '../../db/quotes.ts'
import { coverageRefusal, type NamedPoint } from '../../domain/coverage.ts'
import type { Parcel } from '../../domain/parcel.ts'
import { merchantOf } from '../merchant-of.ts'
import { assessDelivery } from './assess-delivery.ts'
import { priceDelivery } from './price-delivery.ts'
import { quoteExpiry } from './quote-expiry.ts'

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
}

const SUGGESTED_RIDERS = 5

/** A price that holds for 15 minutes; for the merchant's own fleet, who of it could go. */
export async function createQuote(
  ctx: Context,
  tenant: Tenant,
  input: QuoteInput,
): Promise<{ quote: Quote; routing: InternalRouting | null }> {
  if (!ctx.config.pricingEngineEnabled) throw new ServiceError('pricing_engine_disabled')
  const { fare, routing, currency } = await (input.fulfillmentMode === 'internal_fleet'
    ? routeInternally(ctx, tenant, input)
    : quoteFare(ctx, tenant, input))
  const quote = await ctx.transact(tenant, async (tx) => {
    const { fulfillmentMode, request } = input
    const issued: Quote = {
      id: randomUUID(),
      merchantId: tenant.merchantId,
      isTest: tenant.isTest ?? false,
      fulfillmentMode,
      request,
      fare,
      currency,
      createdAt: tx.now,
      expiresAt: quoteExpiry(tx.now),
    }
    await storeQuote(tx.sql, issued)
    return issued
  })
  return { quote, routing }
}

async function quoteFare(ctx: Context, { merchantId }: Tenant, { points, parcel }: QuoteInput): Promise<Answer> {
  const { coverage, way } = await assessDelivery(ctx, { merchantId, vehicle: parcel.vehicle, points })
  const refusal = coverageRefusal(coverage, (point, reason) =>
    point === 'pickup' && reason === 'outside_zones' ? 'pickup_outside_coverage' : 'OUT_OF_COVERAGE_AREA',
  )
  if (refusal) throw refusal
  const card = coverage.card!
  return { fare: await priceDelivery(ctx, { card, way: way!, parcel }), routing: null, currency: card.currency }
}

async function routeInternally(ctx: Context, tenant: Tenant, { points, parcel }: QuoteInput): Promise<Answer> {
  const { riderKycRequired: isKycRequired, riderMaxActiveOrders: maxActiveOrders } = ctx.config
  const [{ currency }, { available, riderIds }] = await Promise.all([
    merchantOf(ctx, tenant.merchantId),
    findFleetRiders(ctx.database, {
      merchantId: tenant.merchantId,
      isTest: tenant.isTest === true,
      vehicles: VEHICLES.slice(VEHICLES.indexOf(parcel.vehicle)),
      near: points.find(({ name }) => name === 'pickup') ?? null,
      isKycRequired,
      maxActiveOrders,
      limit: SUGGESTED_RIDERS,
    }),
  ])
  const note = available === 0 ? 'Nobody of the fleet is free now.' : 'Free riders of the fleet, the best placed first.'
  return { fare: null, currency, routing: { fleet_riders_available: available, suggested_rider_ids: riderIds, note } }
}
