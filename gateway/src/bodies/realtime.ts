import type { RiderLocation } from '@svc/contracts/dispatch/v1/position_service'
import type { RealtimeEvent } from '@svc/contracts/dispatch/v1/realtime'
import { fieldsOf, id, instant, orNull, whole, words } from '@svc/public-bodies'
import * as z from 'zod'

/** Names of what a merchant's socket receives. */
export const MERCHANT_EVENTS = ['rider_location', 'rider_locations_snapshot', 'rider_online_status'] as const
/** Names of what a tracking page's socket receives. */
export const TRACKING_EVENTS = ['tracking_status', 'tracking_location'] as const

/** A rider's position as a merchant's socket and the hints route show it. */
export const riderLocation = z
  .object(
    fieldsOf<RiderLocation>()({
      rider_id: id,
      merchant_id: id,
      lat: z.number(),
      lng: z.number(),
      accuracy_m: orNull(z.number()),
      heading_deg: orNull(z.number()),
      speed_mps: orNull(z.number()),
      recorded_at: orNull(instant),
      received_at: orNull(instant),
      active_order_ids: z.array(id),
      is_test: z.boolean(),
      seq: whole,
    }),
  )
  .meta({ id: 'RealtimeRiderLocation' })

type Told<Case extends string> = Extract<NonNullable<RealtimeEvent['event']>, { $case: Case }>['value']

const degrees = (what: string) => z.number().meta({ description: `${what}, degrees (WGS 84)` })

/** What sockets receive, by event: the bodies of /asyncapi.json. */
export const SOCKET_BODIES = {
  rider_location: riderLocation,
  rider_locations_snapshot: z
    .object({
      merchant_id: id,
      at: instant.meta({ description: 'When the snapshot was taken' }),
      riders: z.array(riderLocation).meta({ description: 'Every rider whose position is known, in no order' }),
    })
    .meta({ id: 'RealtimeSnapshot' }),
  rider_online_status: z
    .object(
      fieldsOf<Told<'rider_online_changed'>>()({
        rider_id: id,
        merchant_id: id,
        is_online: z.boolean(),
        changed_at: orNull(instant),
        reason: words('rider', 'merchant', 'admin', 'kyc').meta({ description: 'Who or what changed it' }),
      }),
    )
    .meta({ id: 'RealtimeOnlineStatus' }),
  tracking_status: z
    .object(
      fieldsOf<Told<'tracking_changed'>>()({
        status: z.string().meta({ description: 'Of the order' }),
        updated_at: orNull(instant),
      }),
    )
    .meta({ id: 'TrackingStatus' }),
  tracking_location: z
    .object(
      fieldsOf<RiderLocation>()({
        lat: degrees('Latitude'),
        lng: degrees('Longitude'),
        recorded_at: orNull(instant).meta({ description: 'When the rider was there' }),
      }),
    )
    .meta({ id: 'TrackingLocation' }),
} satisfies Record<(typeof MERCHANT_EVENTS)[number] | (typeof TRACKING_EVENTS)[number], z.ZodType>

export type SocketEvent = keyof typeof SOCKET_BODIES
