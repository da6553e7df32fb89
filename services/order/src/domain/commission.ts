import type { Order } from './order.ts'
import { parseUnified } from './unified-record.ts'

/** What the wallet is told of an order that is to enter a status. */
export interface CommissionedOrder {
  merchantId: string
  /** Absent where none is entered: then only what holds for the merchant is wanted. */
  status?: string
  paymentVerified: boolean
  riderId?: string
  ownAmountMinor?: number
  vehicleType?: string
  source: string
}

/** What entering the status means in money. */
export interface CommissionPlan {
  mode: 'pay' | 'hold_in_escrow' | 'none'
  amountMinor: number
  currency: string
  payer: string
  isTrigger: boolean
  requirePaymentVerified: boolean
}

/** A commission that must be paid or put into escrow, under one key until that is answered. */
export interface Settlement {
  orderId: string
  merchantId: string
  riderId: string
  amountMinor: number
  currency: string
  mode: 'pay' | 'hold_in_escrow'
  payer: string
}

/** The key under which the wallet decides one attempt. */
export const settleKey = (orderId: string, attempt: number): string => `commission:${orderId}:${attempt}`

/** The order as it is now, of which `status` is being entered. */
export function commissionedOrder(order: Order, status: string | undefined): CommissionedOrder {
  const { merchantId, paymentVerified, riderId, source } = order
  const own = parseUnified(order.unifiedJson).standardized.delivery_commission_minor
  const vehicleType = order.vehicleTypeHint ?? order.riderVehicleType
  return {
    merchantId,
    paymentVerified,
    source,
    ...(status !== undefined && { status }),
    ...(riderId !== null && { riderId }),
    ...(vehicleType !== null && { vehicleType }),
    ...(Number.isSafeInteger(own) && { ownAmountMinor: own as number }),
  }
}

/** Everything that a plan depends on and a change may alter; equal exactly when the plan still holds. */
export const fingerprintOf = ({ status, riderId, paymentVerified, version, assignmentVersion }: Order): string =>
  JSON.stringify([status, riderId, paymentVerified, version, assignmentVersion])
