import type { Point } from './order-draft.ts'

export const SHIPMENT_STATUSES = ['draft', 'submitted', 'dispatching', 'completed', 'cancelled'] as const
export type ShipmentStatus = (typeof SHIPMENT_STATUSES)[number]

/** As many orders as a shipment has at most. */
export const MAX_ROWS = 5_000

export interface Pickup {
  address: string
  point: Point | null
}

/** The rate card by which a shipment was estimated. */
export interface EstimateCard {
  id: string
  version: number
  name: string
  currency: string
}

/** Orders that are drafted together and submitted together. */
export interface Shipment {
  id: string
  merchantId: string
  isTest: boolean
  source: string
  status: ShipmentStatus
  totalOrders: number
  estimatedFeeMinor: number
  currency: string | null
  pickupAddress: string | null
  pickupLat: number | null
  pickupLng: number | null
  rateCardId: string | null
  rateCardName: string | null
  holdAttempts: number
  holdMinor: number | null
  defaultPickupAt: Date | null
  begunAt: Date | null
  createdAt: Date
  submittedAt: Date | null
  completedAt: Date | null
  cancelledAt: Date | null
}

/** Why the orders of a cancelled shipment ended. */
export const SHIPMENT_CANCELLED = 'shipment_cancelled'

const HOUR_MS = 3_600_000
/** An order that says nothing of it is collected as long after the submit. */
export const DEFAULT_LEAD_MS = HOUR_MS
/** Its window lasts as long. */
const DEFAULT_WINDOW_MS = 8 * HOUR_MS

/** The times of an order that states none, or its pickup alone. */
export const defaultTimes = (pickup: Date) => ({
  scheduledPickupAt: pickup,
  deliveryWindowStart: pickup,
  deliveryWindowEnd: new Date(pickup.getTime() + DEFAULT_WINDOW_MS),
})
