import { randomFillSync } from 'node:crypto'
import type { OrderFields } from './order.ts'
import type { OrderDraft } from './order-draft.ts'
import type { OrderTimes } from './order-times.ts'
import type { Price } from './price.ts'

const TOKEN_BYTES = 16
/** Asking for random bytes costs as much for one token as for hundreds. Each is used once, and erased. */
const pool = Buffer.alloc(256 * TOKEN_BYTES)
let used = pool.length

/** 128 random bits in 22 characters of base64url. */
export function newTrackingToken(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const token = pool.toString('base64url', used, used + TOKEN_BYTES)
  pool.fill(0, used, used + TOKEN_BYTES)
  used += TOKEN_BYTES
  return token
}

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

/** An order that is not stored yet: the database says when it was created. Nothing is changed in it, so that it is no mapped object. */
export type NewOrder = Omit<OrderFields, 'createdAt' | 'updatedAt'> & { createdAt?: undefined; updatedAt?: undefined }

/** The order that a draft becomes: pending, with one fact to its name, or a draft of a shipment, with none. */
export function newOrder(identity: Identity, draft: OrderDraft, times: OrderTimes, price: Price | null): NewOrder {
  return {
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
}
