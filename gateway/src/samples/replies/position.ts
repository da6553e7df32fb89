import type { RpcReplies } from '../rpc-replies.ts'
import { at, id } from './pieces.ts'

export const near = {
  rider_id: id,
  name: 'Ada Obi',
  phone: '+2348012345678',
  vehicle_type: 'car',
  lat: 6.45,
  lng: 3.39,
  distance_m: 812.5,
  is_online: true,
  location_age_seconds: 4,
}

export const location = {
  rider_id: id,
  merchant_id: id,
  lat: 6.45,
  lng: 3.39,
  accuracy_m: 4,
  heading_deg: 90,
  speed_mps: 8,
  recorded_at: at,
  received_at: at,
  active_order_ids: [id],
  is_test: true,
  seq: 9,
}

export const positionReplies = {
  recordPositions: { accepted: 1, location },
  listPositionHistory: { items: [{ lat: 6.45, lng: 3.39, accuracy_m: 4, recorded_at: at }] },
  listRidersNear: { items: [near] },
  listLivePositions: { riders: [location] },
  getTrackedPosition: { point: { lat: 6.45, lng: 3.39 }, recorded_at: at },
} satisfies Partial<RpcReplies>
