import { validationError } from '@svc/errors'
import { vehicle } from '../bodies/pieces.ts'
import { coverage } from '../bodies/place.ts'
import { DROPOFF, latitudeWord, longitudeWord, PICKUP, pointIn } from '../bodies/point.ts'
import { merchant, reply, route } from '../http/route.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/coverage/check',
    operationId: 'checkCoverage',
    tag: 'Coverage and prices',
    summary: 'Ask whether points are covered',
    description: 'One point as lat and lng, or a pickup, a drop-off or both. Judges as the creation of an order does.',
    auth: merchant('orders:read', 'orders:write'),
    query: {
      lat: latitudeWord.optional(),
      lng: longitudeWord.optional(),
      pickup_lat: latitudeWord.optional(),
      pickup_lng: longitudeWord.optional(),
      dropoff_lat: latitudeWord.optional(),
      dropoff_lng: longitudeWord.optional(),
      vehicle_type: vehicle.optional(),
    },
    replies: { 200: coverage },
    errors: [],
    async handle({ query }, services) {
      const [point, pickup, dropoff] = [pointIn(query), pointIn(query, PICKUP), pointIn(query, DROPOFF)]
      if (!point && !pickup && !dropoff) {
        throw validationError([
          { field: 'lat', rule: 'required', message: 'lat is required, or a pickup or drop-off.' },
        ])
      }
      const request = { point, pickup, dropoff, vehicle_type: query.vehicle_type }
      return reply(200, await services.place.checkCoverage(request))
    },
  }),
]
