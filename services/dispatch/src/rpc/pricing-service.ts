import { type CreateQuoteRequest, PricingServiceService } from '@svc/contracts/dispatch/v1/pricing_service'
import { anyone, either, merchant, merchantNamed, operator, rpc, service, serving } from '@svc/grpc'
import { idField, optionalUuid, pageFields, resourceId, timestamp } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { readParcel } from '../domain/parcel.ts'
import { readPoints, requirePoint } from '../domain/point.ts'
import { estimatesMessage } from '../messages/estimates.ts'
import { quoteMessage } from '../messages/quote.ts'
import { rateCardMessage } from '../messages/rate-card.ts'
import { createQuote } from '../use-cases/pricing/create-quote.ts'
import { createRateCard } from '../use-cases/pricing/create-rate-card.ts'
import { estimateFares } from '../use-cases/pricing/estimate-fares.ts'
import { listRateCards } from '../use-cases/pricing/list-rate-cards.ts'
import { previewFare } from '../use-cases/pricing/preview-fare.ts'
import { priceOrder } from '../use-cases/pricing/price-order.ts'
import { updateRateCard } from '../use-cases/pricing/update-rate-card.ts'
import { namedId } from './pieces.ts'

const OPERATE = operator('admin.system.write')

const cardsAsked = z
  .object({ ...pageFields(), merchant_id: namedId.optional(), active: z.boolean().optional() })
  .transform(({ merchant_id, ...asked }) => ({ ...asked, merchantId: merchant_id }))

const quoteAsked = z
  .custom<CreateQuoteRequest>()
  .transform((request) => ({ fulfillment_mode: request.fulfillment_mode || 'freelancer', request }))
  .pipe(
    z.object({ fulfillment_mode: z.enum(['freelancer', 'internal_fleet']), request: z.custom<CreateQuoteRequest>() }),
  )
  .transform(({ fulfillment_mode: fulfillmentMode, request }) => {
    const { pickup, dropoff } = request
    const points =
      fulfillmentMode === 'internal_fleet'
        ? readPoints({ pickup, dropoff })
        : [requirePoint('pickup', pickup), requirePoint('dropoff', dropoff)]
    return { fulfillmentMode, points, parcel: readParcel(request.parcel), request }
  })

const MAX_DROPOFFS = 5_000
const place = z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })

const estimatesAsked = z
  .object({
    merchant_id: idField,
    pickup: place.optional(),
    dropoffs: z.array(place).max(MAX_DROPOFFS),
    opens_from: timestamp.optional(),
  })
  .transform(({ merchant_id: merchantId, pickup = null, dropoffs, opens_from }) => ({
    merchantId,
    pickup,
    dropoffs,
    opensFrom: opens_from === undefined ? null : new Date(opens_from),
  }))

/** The rpcs of prices: operators keep rate cards, merchants quote, order creation asks what an order costs. */
export const pricingService = serving<Context>()(PricingServiceService, {
  listRateCards: rpc({
    access: OPERATE,
    input: cardsAsked,
    async handle(ctx, by, asked) {
      const { items, total } = await listRateCards(ctx, by, asked)
      return { items: items.map(rateCardMessage), total, limit: asked.limit, offset: asked.offset }
    },
  }),

  createRateCard: rpc({
    access: OPERATE,
    async handle(ctx, by, { rate_card: card = {} }) {
      const merchant_id = optionalUuid('merchant_id', card.merchant_id) ?? undefined
      return { rate_card: rateCardMessage(await createRateCard(ctx, by, { ...card, merchant_id })) }
    },
  }),

  updateRateCard: rpc({
    access: OPERATE,
    async handle(ctx, by, { id, rate_card: card = {}, clear_fields: clearFields }) {
      return { rate_card: rateCardMessage(await updateRateCard(ctx, by, { id: resourceId(id), card, clearFields })) }
    },
  }),

  previewFare: rpc({
    access: anyone(),
    async handle(ctx, by, { pickup, dropoff, parcel }) {
      const points = [requirePoint('pickup', pickup), requirePoint('dropoff', dropoff)]
      const { fare, expiresAt } = await previewFare(ctx, by, { points, parcel: readParcel(parcel) })
      return { fare, expires_at: expiresAt.toISOString() }
    },
  }),

  createQuote: rpc({
    access: merchant('orders:read'),
    input: quoteAsked,
    handle: async (ctx, by, asked) => quoteMessage(await createQuote(ctx, by, asked)),
  }),

  priceOrder: rpc({
    access: either(merchant('orders:write'), service('order')),
    async handle(ctx, by, { pickup, dropoff, parcel, quote_id, merchant_id }) {
      const { fare, isOwnFleet } = await priceOrder(ctx, by, {
        merchantId: merchantNamed(by, merchant_id),
        points: readPoints({ pickup, dropoff }),
        parcel: readParcel(parcel),
        quoteId: optionalUuid('quote_id', quote_id),
      })
      return { fare: fare ?? undefined, quote_id, own_fleet: isOwnFleet }
    },
  }),

  estimateFares: rpc({
    access: service('order'),
    input: estimatesAsked,
    handle: async (ctx, by, asked) => estimatesMessage(await estimateFares(ctx, by, asked)),
  }),
})
