import type { RiderLocation } from '@svc/contracts/dispatch/v1/position_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { By } from '@svc/grpc'
import type { RiderPosition } from '../domain/rider-position.ts'

interface Viewer {
  /** null is the rider, who sees every order that it carries. */
  merchantId: string | null
  isTest: boolean | null
}

/** Who looks at what was reported: the merchant or the rider who did. */
export const reporterOf = ({ caller, scope }: By): Viewer => ({
  merchantId: scope === 'every tenant' ? null : scope.merchantId,
  isTest: caller.isTest,
})

/** A position as one viewer sees it: with its own orders of its own environment, never with another merchant's. */
export function riderLocation(position: RiderPosition, { merchantId, isTest }: Viewer): RiderLocation {
  const { rider_id, fleet_id, lat, lng, accuracy_m, heading_deg, speed_mps, seq } = position
  const orders = position.orders.filter(
    (order) =>
      (merchantId === null || order.merchant_id === merchantId) && (isTest === null || order.is_test === isTest),
  )
  return {
    rider_id,
    merchant_id: merchantId ?? fleet_id ?? undefined,
    lat,
    lng,
    accuracy_m: accuracy_m ?? undefined,
    heading_deg: heading_deg ?? undefined,
    speed_mps: speed_mps ?? undefined,
    recorded_at: position.recorded_at.toISOString(),
    received_at: position.received_at.toISOString(),
    active_order_ids: orders.map(({ order_id }) => order_id),
    is_test: rider_id === SANDBOX_RIDER.id,
    seq,
  }
}
