import type { Rider as RiderMessage } from '@svc/contracts/dispatch/v1/rider'
import type { LocatedRider } from '../db/last-locations.ts'

export function riderMessage({ lastLocation, ...rider }: LocatedRider): RiderMessage {
  return {
    id: rider.id,
    rider_type: rider.riderType,
    merchant_id: rider.merchantId ?? undefined,
    name: rider.name,
    phone: rider.phone,
    phone_verified_at: rider.phoneVerifiedAt?.toISOString(),
    vehicle_type: rider.vehicleType,
    kyc_status: rider.kycStatus,
    is_online: rider.isOnline,
    last_location: lastLocation && {
      point: { lat: lastLocation.lat, lng: lastLocation.lng },
      recorded_at: lastLocation.recordedAt.toISOString(),
    },
    created_at: rider.createdAt.toISOString(),
    updated_at: rider.updatedAt.toISOString(),
    version: rider.version,
    city: rider.city ?? undefined,
  }
}
