import { merchant, reply, viewedRoute } from '../../http/route.ts'
import { DROPOFF, PICKUP, pointIn } from '../../schemas/point.ts'
import { quote, quoteBody } from '../../schemas/pricing.ts'
import { quoteView } from '../../views/pricing.ts'

export const myPricing = [
  viewedRoute({
    method: 'POST',
    path: '/v1/me/pricing/quote',
    operationId: 'createQuote',
    tag: 'Coverage and prices',
    summary: 'Quote a delivery',
    description: 'Good for 15 minutes; quote_id on POST /v1/orders pins the fee.',
    auth: merchant('orders:read'),
    body: quoteBody,
    replies: { 200: quote },
    errors: ['pickup_outside_coverage', 'OUT_OF_COVERAGE_AREA', 'pricing_engine_disabled'],
    async handle({ body }, services) {
      const created = await services.pricing.createQuote({
        fulfillment_mode: body.fulfillment_mode,
        pickup: pointIn(body, PICKUP),
        dropoff: pointIn(body, DROPOFF),
        parcel: {
          vehicle_type: body.vehicle_type ?? undefined,
          weight_kg: body.weight_kg ?? undefined,
          length_cm: body.length_cm ?? undefined,
          width_cm: body.width_cm ?? undefined,
          height_cm: body.height_cm ?? undefined,
          is_fragile: body.is_fragile ?? false,
        },
        scheduled_pickup_at: body.scheduled_pickup_at ?? undefined,
        cod_amount_minor: body.cod_amount_minor ?? undefined,
      })
      return reply(200, quoteView(created))
    },
  }),
]
