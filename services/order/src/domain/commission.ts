import type { Order } from './order.ts'
import { isTerminal } from './order-status.ts'
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

/** An order as it is at a version; without a rider where nobody carries it. */
export interface CarriedOrder extends CommissionedOrder {
  orderId: string
  version: number
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

/** What a plan says of a commission that must be paid or put into escrow, under one key until that is answered. */
export interface Settlement extends Pick<CommissionPlan, 'amountMinor' | 'currency' | 'payer'> {
  mode: Exclude<CommissionPlan['mode'], 'none'>
  orderId: string
  merchantId: string
  riderId: string
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

/** Who carries an order, so that its commission waits for them. */
export const carrierOf = ({ status, riderId }: { status: string; riderId: string | null }): string | null =>
  isTerminal(status) ? null : riderId

/** The order as it is now, with the rider who carries it. */
export function carriedOrder(order: Order): CarriedOrder {
  const { riderId: _, ...commissioned } = commissionedOrder(order, undefined)
  const carrier = carrierOf(order)
  return { ...commissioned, ...(carrier !== null && { riderId: carrier }), orderId: order.id, version: order.version }
}

/** Everything that a plan depends on and a change may alter; equal exactly when the plan still holds. */
export const fingerprintOf = ({ status, riderId, paymentVerified, version, assignmentVersion }: Order): string =>
  JSON.stringify([status, riderId, paymentVerified, version, assignmentVersion])
