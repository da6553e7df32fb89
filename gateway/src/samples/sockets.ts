import type { SocketEvent } from '../bodies/realtime.ts'
import { at, id } from './replies/pieces.ts'
import { location } from './replies/position.ts'

/** What sockets receive, by event. */
export const sockets: Record<SocketEvent, object> = {
  rider_location: location,
  rider_locations_snapshot: { merchant_id: id, at, riders: [location] },
  rider_online_status: { rider_id: id, merchant_id: id, is_online: true, changed_at: at, reason: 'rider' },
  tracking_status: { status: 'in_transit', updated_at: at },
  tracking_location: { lat: 6.45, lng: 3.39, recorded_at: at },
}
