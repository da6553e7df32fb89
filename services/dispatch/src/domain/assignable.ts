import { SANDBOX_RIDER } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { Rider } from './rider.ts'

/** What decides whether a rider can be given orders. */
export type AssignableRider = Pick<Rider, 'id' | 'riderType' | 'merchantId' | 'kycStatus' | 'isOnline'>

export interface AssignmentRules {
  riderKycRequired: boolean
  assignRequireOnline: boolean
  riderMaxActiveOrders: number
}

/** A rider whom the merchant may give its orders: of its own fleet, or a freelancer; the sandbox rider for test orders. */
export function requireRiderOf(
  order: { merchantId: string; isTest: boolean },
  rider: AssignableRider | null,
): AssignableRider {
  const isVisible = rider !== null && (rider.riderType === 'freelancer' || rider.merchantId === order.merchantId)
  if (!isVisible) throw new ServiceError('rider_not_found')
  const isSandbox = rider.id === SANDBOX_RIDER.id
  if (order.isTest && !isSandbox) throw new ServiceError('test_rider_required')
  if (!order.isTest && isSandbox) throw new ServiceError('rider_not_found')
  return rider
}

/** Throws unless the rider may take one more order now; the sandbox rider always may. */
export function requireReady(rider: AssignableRider, activeOrders: number, rules: AssignmentRules): void {
  if (rider.id === SANDBOX_RIDER.id) return
  if (rules.riderKycRequired && rider.kycStatus !== 'approved') throw new ServiceError('kyc_not_approved')
  const reason =
    rules.assignRequireOnline && !rider.isOnline
      ? 'offline'
      : activeOrders >= rules.riderMaxActiveOrders
        ? 'at_capacity'
        : null
  if (reason) throw new ServiceError('rider_unavailable', { details: { reason } })
}
