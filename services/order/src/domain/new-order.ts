import { randomBytes } from 'node:crypto'
import { Order, type OrderFields } from './order.ts'
import type { OrderDraft } from './order-draft.ts'
import type { OrderTimes } from './order-times.ts'
import type { Price } from './price.ts'

/** 128 random bits in 22 characters of base64url. */
export const newTrackingToken = (): string => randomBytes(16).toString('base64url')

interface Identity {
  id: string
  merchantId: string
  isTest: boolean
  /** None while it is a draft. */
  trackingToken: string | null
  /** Whose row it is. */
  shipmentId?: string
  shipmentRow?: number
}

/** The order that a draft becomes: pending, with one fact to its name, or a draft of a shipment, with none. The database says when it was created. */
export function newOrder(identity: Identity, draft: OrderDraft, times: OrderTimes, price: Price | null): Order {
  const fields: Omit<OrderFields, 'createdAt' | 'updatedAt'> = {
    ...identity,
    shipmentId: identity.shipmentId ?? null,
    shipmentRow: identity.shipmentRow ?? null,
    ...times,
    source: draft.source,
    externalOrderId: draft.externalOrderId,
    status: draft.status,
    paymentVerified: draft.paymentVerified,
    unifiedJson: draft.unifiedJson,
    riderId: null,
    riderName: null,
    riderPhone: null,
    riderVehicleType: null,
    riderActed: null,
    eta: null,
    announcedEta: null,
    feeMinor: price?.fee?.feeMinor ?? null,
    currency: price?.fee?.currency ?? null,
    quoteId: price?.quoteId ?? null,
    rateCardId: price?.fee?.rateCardId ?? null,
    rateCardVersion: price?.fee?.rateCardVersion ?? null,
    pickupLat: draft.pickup?.lat ?? null,
    pickupLng: draft.pickup?.lng ?? null,
    dropoffLat: draft.dropoff?.lat ?? null,
    dropoffLng: draft.dropoff?.lng ?? null,
    vehicleTypeHint: draft.vehicleTypeHint,
    vehicleTypeSource: draft.vehicleTypeSource,
    cancelledAt: null,
    terminalAt: null,
    settlingId: null,
    commissionState: null,
    commissionAttempt: null,
    settlementAttempts: 0,
    requestFingerprint: draft.fingerprint,
    version: draft.status === 'draft' ? 0 : 1,
    assignmentVersion: 0,
  }
  return Object.assign(new Order(), fields)
}
