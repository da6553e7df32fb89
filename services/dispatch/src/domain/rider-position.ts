import { isTerminal } from './terminal.ts'

/** An order that a rider has under way. */
export interface ActiveOrder {
  order_id: string
  merchant_id: string
  is_test: boolean
  status: string
  /** Whether the order names this rider already. */
  is_assigned: boolean
}

/** Where a rider is now, and which merchants may know. */
export interface RiderPosition {
  rider_id: string
  /** The merchant of the rider's fleet. */
  fleet_id: string | null
  lat: number
  lng: number
  accuracy_m: number | null
  heading_deg: number | null
  speed_mps: number | null
  recorded_at: Date
  received_at: Date
  seq: number
  orders: ActiveOrder[]
}

/** The merchants that may watch the rider: the one of the fleet, and those of the orders under way. */
export function watchersOf({ fleet_id, orders }: RiderPosition): string[] {
  return [...new Set([...(fleet_id === null ? [] : [fleet_id]), ...orders.map(({ merchant_id }) => merchant_id)])]
}

/** Whether the public page of an order shows its rider: from the acceptance until the order ends. */
export function isShownWhileTracked(status: string): boolean {
  return status !== 'draft' && status !== 'pending' && !isTerminal(status)
}
