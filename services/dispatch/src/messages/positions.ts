import type {
  HistoryPoint,
  NearRider as NearRiderMessage,
  PositionPoint,
} from '@svc/contracts/dispatch/v1/position_service'
import type { NearRider } from '../db/near-riders.ts'
import type { PastPosition } from '../db/position-history.ts'
import type { NewPosition } from '../domain/new-position.ts'

export const newPosition = (point: PositionPoint): NewPosition => ({
  lat: point.lat,
  lng: point.lng,
  accuracyM: point.accuracy_m ?? null,
  speedMps: point.speed_mps ?? null,
  headingDeg: point.heading_deg ?? null,
  batteryPct: point.battery_pct ?? null,
  recordedAt: point.recorded_at === undefined ? null : new Date(point.recorded_at),
})

export const pastPositionMessage = ({ lat, lng, accuracyM, recordedAt }: PastPosition): HistoryPoint => ({
  lat,
  lng,
  accuracy_m: accuracyM ?? undefined,
  recorded_at: recordedAt.toISOString(),
})

export const nearRiderMessage = (rider: NearRider): NearRiderMessage => ({
  rider_id: rider.riderId,
  name: rider.name,
  phone: rider.phone ?? '',
  vehicle_type: rider.vehicleType,
  lat: rider.lat,
  lng: rider.lng,
  distance_m: rider.distanceM,
  is_online: rider.isOnline,
  location_age_seconds: Math.floor(rider.locationAgeSeconds),
})
