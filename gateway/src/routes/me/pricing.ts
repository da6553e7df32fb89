import { DROPOFF, PICKUP, pointIn } from '../../bodies/point.ts'
import { quote, quoteBody, quoteOf } from '../../bodies/pricing.ts'
import { merchant, reply, route } from '../../http/route.ts'

export const routes = [
  route({
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
          vehicle_type: body.vehicle_type,
          weight_kg: body.weight_kg,
          length_cm: body.length_cm,
          width_cm: body.width_cm,
          height_cm: body.height_cm,
          is_fragile: body.is_fragile ?? false,
        },
        scheduled_pickup_at: body.scheduled_pickup_at,
        cod_amount_minor: body.cod_amount_minor,
      })
      return reply(200, quoteOf(created))
    },
  }),
]
