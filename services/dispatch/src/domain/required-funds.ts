import type { Job } from './job.ts'

/** What decides how much a delivery takes. */
export type Delivery = Pick<Job, 'merchantId' | 'isTest' | 'feeMinor' | 'pickupLat' | 'dropoffLat'>

/**
 * What the merchant must have for a freelancer to carry the order: its price; without one, a floor for live orders.
 * Merchants that deliver by their own fleet are not held to prices. 0: nothing.
 */
export function requiredFunds(order: Delivery, isOwnFleet: boolean, floorMinor: number): number {
  const isLocated = order.pickupLat !== null && order.dropoffLat !== null
  if (isOwnFleet && (isLocated || order.feeMinor !== null)) return 0
  return order.feeMinor ?? (order.isTest ? 0 : floorMinor)
}
