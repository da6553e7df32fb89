import type {
  AssignRiderResponse,
  DispatchCandidate,
  DispatchOffer,
  DispatchRound,
  GetDispatchTraceResponse,
  ScoreParts,
  Stop,
  TracedCandidate,
} from '@svc/contracts/dispatch/v1/assignment_service'
import type { NearRider } from '@svc/contracts/dispatch/v1/position_service'
import { text, uuid } from '@svc/inputs'
import { fieldsOf, id, instant, order, orderOf, orNull, required, whole, words } from '@svc/public-bodies'
import * as z from 'zod'

export const assignBody = z.object({ rider_id: uuid.nullable().meta({ description: 'null: nobody' }) })

export const assignedRider = z.object({ order, previous_rider_id: orNull(id) })

export const assignedRiderOf = (assigned: AssignRiderResponse) => ({ ...assigned, order: orderOf(assigned.order) })

const metres = z.number().meta({ description: 'Metres' })
const scoreParts = z
  .object(fieldsOf<ScoreParts>()({ distance_m: metres, load_penalty_m: metres }))
  .meta({ id: 'ScoreParts' })
const stop = z.object({ address: z.string(), lat: orNull(z.number()), lng: orNull(z.number()) }).meta({ id: 'Stop' })

/** An order put to a rider, for a short time. */
export const offer = z
  .object(
    fieldsOf<DispatchOffer>()({
      id,
      order_id: id,
      rider_id: id,
      status: words('pending', 'accepted', 'declined', 'expired', 'withdrawn'),
      round: whole,
      rank: whole,
      score_m: metres,
      distance_m: metres,
      score_parts: scoreParts,
      payout_minor: orNull(whole),
      currency: z.string(),
      cod_amount_minor: orNull(whole).meta({ description: 'Cash that the rider is to collect at the door' }),
      cod_currency: orNull(z.string()),
      pickup: stop,
      dropoff: stop,
      expires_at: instant,
      created_at: instant,
      responded_at: orNull(instant),
    }),
  )
  .meta({ id: 'DispatchOffer' })

function stopOf(message: Stop | undefined) {
  const { address, point } = required(message)
  return { address, lat: point?.lat, lng: point?.lng }
}

export function offerOf(message: DispatchOffer | undefined) {
  const offered = required(message)
  return {
    ...offered,
    score_parts: required(offered.score_parts),
    pickup: stopOf(offered.pickup),
    dropoff: stopOf(offered.dropoff),
  }
}

const nearRider = z
  .object(
    fieldsOf<NearRider>()({
      rider_id: id,
      name: z.string().meta({ description: 'The first name of a rider of no own fleet and no own order' }),
      phone: orNull(z.string()).meta({ description: 'Null for a rider of no own fleet and no own order' }),
      vehicle_type: z.string(),
      lat: z.number(),
      lng: z.number(),
      distance_m: metres,
      is_online: z.boolean(),
      location_age_seconds: whole,
    }),
  )
  .meta({ id: 'NearRider' })

/** A rider whose phone is not told has none. */
export const nearRiderOf = <Rider extends { phone: string }>({ phone, ...rider }: Rider) => ({
  ...rider,
  phone: phone === '' ? undefined : phone,
})

const asked = { lat: z.number(), lng: z.number(), metres: whole, limit: whole }

export const nearRiders = z.object({ items: z.array(nearRider), ...asked })

export const candidates = z.object({
  order_id: id,
  ...asked,
  candidates: z.array(
    z
      .object({ ...nearRider.shape, ...fieldsOf<DispatchCandidate>()({ active_orders: whole, score_m: metres }) })
      .meta({ id: 'DispatchCandidate' }),
  ),
})

const traced = z.object(
  fieldsOf<TracedCandidate>()({
    rider_id: id,
    included: z.boolean(),
    rank: orNull(whole),
    reason: orNull(z.string()).meta({ example: 'stale_location' }),
    distance_m: orNull(metres),
    score_m: orNull(metres),
    score_parts: orNull(scoreParts),
  }),
)

const round = z.object(
  fieldsOf<DispatchRound>()({
    round: whole,
    radius_m: whole,
    started_at: instant,
    candidates: z.array(traced),
    offers: z.array(offer),
  }),
)

/** Why each rider was asked or left out. */
export const dispatchTrace = z
  .object(fieldsOf<GetDispatchTraceResponse>()({ order_id: id, rounds: z.array(round) }))
  .meta({ id: 'DispatchTrace' })

export const dispatchTraceOf = ({ order_id, rounds }: GetDispatchTraceResponse) => ({
  order_id,
  rounds: rounds.map((one) => ({ ...one, offers: one.offers.map(offerOf) })),
})

export const riderStatus = z.enum([
  'accepted',
  'picked_up',
  'in_transit',
  'delivered',
  'returned_to_merchant',
  'lost_in_transit',
])

export const storageKey = text(512)
