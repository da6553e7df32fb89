import { text, timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { order } from './order.ts'
import { latitude, longitude } from './point.ts'

export const assignBody = z.object({ rider_id: uuid.nullable().meta({ description: 'null: nobody' }) })
export const assignReply = z.strictObject({ order, previous_rider_id: uuid.nullable() })

const metres = z.number().min(0).meta({ description: 'Metres' })
const scoreParts = z.strictObject({ distance_m: metres, load_penalty_m: metres }).meta({ id: 'ScoreParts' })
const stop = z
  .strictObject({ address: z.string(), lat: latitude.nullable(), lng: longitude.nullable() })
  .meta({ id: 'Stop' })

/** An order put to a rider, for a short time. */
export const offer = z
  .strictObject({
    id: uuid,
    order_id: uuid,
    rider_id: uuid,
    status: z.enum(['pending', 'accepted', 'declined', 'expired', 'withdrawn']),
    round: z.int(),
    rank: z.int(),
    score_m: metres,
    distance_m: metres,
    score_parts: scoreParts,
    payout_minor: z.int().nullable(),
    currency: z.string(),
    pickup: stop,
    dropoff: stop,
    expires_at: timestamp,
    created_at: timestamp,
    responded_at: timestamp.nullable(),
  })
  .meta({ id: 'DispatchOffer' })

/** A rider who is near. */
export const nearRider = z
  .strictObject({
    rider_id: uuid,
    name: z.string(),
    phone: z.string(),
    vehicle_type: z.string(),
    lat: latitude,
    lng: longitude,
    distance_m: metres,
    is_online: z.boolean(),
    location_age_seconds: z.int(),
  })
  .meta({ id: 'NearRider' })

export const nearRiders = z.strictObject({
  items: z.array(nearRider),
  lat: latitude,
  lng: longitude,
  metres: z.int(),
  limit: z.int(),
})

export const candidates = z.strictObject({
  order_id: uuid,
  lat: latitude,
  lng: longitude,
  metres: z.int(),
  limit: z.int(),
  candidates: z.array(
    z.strictObject({ ...nearRider.shape, active_orders: z.int(), score_m: metres }).meta({ id: 'DispatchCandidate' }),
  ),
})

/** Why each rider was asked or left out. */
export const dispatchTrace = z
  .strictObject({
    order_id: uuid,
    rounds: z.array(
      z.strictObject({
        round: z.int(),
        radius_m: z.int(),
        started_at: timestamp,
        candidates: z.array(
          z.strictObject({
            rider_id: uuid,
            included: z.boolean(),
            rank: z.int().nullable(),
            reason: z.string().nullable().meta({ example: 'stale_location' }),
            distance_m: metres.nullable(),
            score_m: metres.nullable(),
            score_parts: scoreParts.nullable(),
          }),
        ),
        offers: z.array(offer),
      }),
    ),
  })
  .meta({ id: 'DispatchTrace' })

export const riderStatus = z.enum([
  'accepted',
  'picked_up',
  'in_transit',
  'delivered',
  'returned_to_merchant',
  'lost_in_transit',
])

export const storageKey = text(512)
