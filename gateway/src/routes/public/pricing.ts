import { booleanWord } from '@svc/inputs'
import { vehicle } from '../../bodies/pieces.ts'
import { decimalWord, latitudeWord, longitudeWord } from '../../bodies/point.ts'
import { farePreview, farePreviewOf } from '../../bodies/pricing.ts'
import { FARE_PREVIEW } from '../../http/limits.ts'
import { publicly, reply, route } from '../../http/route.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/public/pricing/rate-card-preview',
    operationId: 'previewFare',
    tag: 'Coverage and prices',
    summary: "Price a delivery by the platform's rate card",
    description:
      'What a delivery would cost anybody; nothing is kept by it. 400 `outside_coverage` where the platform does not deliver.',
    auth: publicly(...FARE_PREVIEW),
    query: {
      pickup_lat: latitudeWord,
      pickup_lng: longitudeWord,
      dropoff_lat: latitudeWord,
      dropoff_lng: longitudeWord,
      vehicle_type: vehicle.default('motorcycle'),
      weight_kg: decimalWord(0, 500).optional(),
      is_fragile: booleanWord.optional(),
    },
    replies: { 200: farePreview },
    errors: ['outside_coverage', 'pricing_engine_disabled'],
    async handle({ query }, services) {
      const preview = await services.pricing.previewFare({
        pickup: { lat: query.pickup_lat, lng: query.pickup_lng },
        dropoff: { lat: query.dropoff_lat, lng: query.dropoff_lng },
        parcel: {
          vehicle_type: query.vehicle_type,
          weight_kg: query.weight_kg,
          is_fragile: query.is_fragile ?? false,
        },
      })
      return reply(200, farePreviewOf(preview))
    },
  }),
]
