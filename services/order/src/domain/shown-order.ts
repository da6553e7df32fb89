import type { OrderFields } from './order.ts'

/** What is told of an order; what only rules and settlements need stays where it is. */
export const SHOWN = [
  'id',
  'merchantId',
  'isTest',
  'source',
  'externalOrderId',
  'status',
  'paymentVerified',
  'unifiedJson',
  'riderId',
  'riderName',
  'riderPhone',
  'riderVehicleType',
  'riderActed',
  'pickupLat',
  'pickupLng',
  'dropoffLat',
  'dropoffLng',
  'vehicleTypeSource',
  'trackingToken',
  'eta',
  'feeMinor',
  'currency',
  'quoteId',
  'cancelledAt',
  'version',
  'assignmentVersion',
  'createdAt',
  'updatedAt',
] as const satisfies ReadonlyArray<keyof OrderFields>

/** What is told of an order beside that to whoever holds its tracking link, and when that ends. */
export const TRACKED = ['scheduledPickupAt', 'deliveryWindowStart', 'deliveryWindowEnd', 'terminalAt'] as const

/** An order as it is shown, which nobody changes. */
export type ShownOrder = Pick<OrderFields, (typeof SHOWN)[number]>
export type TrackedOrder = ShownOrder & Pick<OrderFields, (typeof TRACKED)[number]> & { now: Date }
