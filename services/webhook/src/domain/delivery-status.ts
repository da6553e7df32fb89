export const DELIVERY_STATUSES = ['pending', 'succeeded', 'dead'] as const

/** Where a delivery has come to: waiting for an attempt, answered by a 2xx, or given up. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]
