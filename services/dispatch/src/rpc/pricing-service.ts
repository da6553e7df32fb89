import type { PricingServiceService } from '@svc/contracts/dispatch/v1/pricing_service'
import { validationError } from '@svc/errors'
import { type Handlers, requireAdmin, requireMerchant } from '@svc/grpc'
import { optionalUuid, pageOf, resourceId } from '@svc/inputs'
import type { Context } from '../context.ts'
import { deliversByOwnFleet } from '../db/own-fleet.ts'
import { findRateCards } from '../db/rate-cards.ts'
import { readParcel } from '../domain/parcel.ts'
import { readDropoffs, readPoints, requirePoint } from '../domain/point.ts'
import { rateCardMessage } from '../messages/rate-card.ts'
import { createQuote } from '../use-cases/pricing/create-quote.ts'
import { estimateFares } from '../use-cases/pricing/estimate-fares.ts'
import { previewFare } from '../use-cases/pricing/preview-fare.ts'
import { priceOrder } from '../use-cases/pricing/price-order.ts'
import { createRateCard, updateRateCard } from '../use-cases/pricing/save-rate-card.ts'

const OPERATE = 'admin.system.write'

/** The rpcs of prices: operators keep rate cards, merchants quote, order creation asks what an order costs. */
export function pricingService(ctx: Context): Handlers<typeof PricingServiceService> {
  return {
    async listRateCards({ merchant_id, active, ...asked }, call) {
      requireAdmin(call, OPERATE)
      const page = pageOf(asked)
      const filter = { merchantId: optionalUuid('merchant_id', merchant_id), active: active ?? null }
      const { items, total } = await ctx.transact('every tenant', (tx) => findRateCards(tx.sql, filter, page))
      return { items: items.map(rateCardMessage), total, ...page }
    },

    async createRateCard({ rate_card: input = {} }, call) {
      const caller = requireAdmin(call, OPERATE)
      optionalUuid('merchant_id', input.merchant_id)
      return { rate_card: rateCardMessage(await createRateCard(ctx, caller, input)) }
    },

    async updateRateCard({ id, rate_card: input = {}, clear_fields: clearFields }, call) {
      const caller = requireAdmin(call, OPERATE)
      const change = { id: resourceId(id), input, clearFields }
      return { rate_card: rateCardMessage(await updateRateCard(ctx, caller, change)) }
    },

    async previewFare({ pickup, dropoff, parcel }) {
      const points = [requirePoint('pickup', pickup), requirePoint('dropoff', dropoff)]
      const { fare, expiresAt } = await previewFare(ctx, { points, parcel: readParcel(parcel) })
      return { fare, expires_at: expiresAt.toISOString() }
    },

    async createQuote(request, call) {
      const tenant = requireMerchant(call, 'orders:read')
      const { pickup, dropoff } = request
      const fulfillmentMode = readFulfillmentMode(request.fulfillment_mode)
      const points =
        fulfillmentMode === 'internal_fleet'
          ? readPoints({ pickup, dropoff })
          : [requirePoint('pickup', pickup), requirePoint('dropoff', dropoff)]
      const input = { fulfillmentMode, points, parcel: readParcel(request.parcel), request }
      const { quote, routing, funds } = await createQuote(ctx, call, tenant, input)
      return {
        quote_id: quote.id,
        fulfillment_mode: quote.fulfillmentMode,
        fare: quote.fare ?? undefined,
        internal_routing: routing ?? undefined,
        currency: quote.currency,
        expires_at: quote.expiresAt.toISOString(),
        wallet: funds ?? undefined,
      }
    },

    async priceOrder({ pickup, dropoff, parcel, quote_id }, call) {
      const tenant = requireMerchant(call)
      const order = {
        points: readPoints({ pickup, dropoff }),
        parcel: readParcel(parcel),
        quoteId: optionalUuid('quote_id', quote_id),
      }
      const [fare, own_fleet] = await Promise.all([
        priceOrder(ctx, tenant, order),
        deliversByOwnFleet(ctx.database, tenant.merchantId),
      ])
      return { fare: fare ?? undefined, quote_id, own_fleet }
    },

    async estimateFares({ pickup, parcel, dropoffs }, call) {
      const { merchantId } = requireMerchant(call)
      const { fares, card } = await estimateFares(ctx, merchantId, {
        pickup: requirePoint('pickup', pickup),
        parcel: readParcel(parcel),
        dropoffs: readDropoffs(dropoffs.map(({ point }) => point)),
      })
      const { currency, id, name, version } = card
      return { fares, currency, rate_card_id: id, rate_card_name: name, rate_card_version: version }
    },
  }
}

const MODES = ['freelancer', 'internal_fleet'] as const

function readFulfillmentMode(text: string): (typeof MODES)[number] {
  const mode = MODES.find((each) => each === (text || 'freelancer'))
  if (mode) return mode
  const message = `fulfillment_mode must be one of ${MODES.join(', ')}.`
  throw validationError([{ field: 'fulfillment_mode', rule: 'enum', allowed: MODES, message }])
}
