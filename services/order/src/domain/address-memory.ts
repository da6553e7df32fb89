import { createHash } from 'node:crypto'
import type { Point } from './order-draft.ts'
import type { WriteTenant } from './tenant.ts'
import type { JsonObject } from './unified-record.ts'

/** Where orders for one phone and address were handed over. */
export interface Pin extends Point {
  /** Proofs that agree with it, less those that did not. */
  proofs: number
}

/** Proofs within as many metres of a pin agree with it, and of an order within as many nothing is said. */
export const NEAR_M = 300

const EARTH_RADIUS_M = 6_371_008.7714
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/**
 * By what the memory knows a phone and address of a merchant in one environment: neither can be read from it, and no two
 * merchants share one. Case, punctuation and spacing of the address make no difference. Null where one is missing.
 */
export function addressKey({ merchantId, isTest }: WriteTenant, standardized: JsonObject): Buffer | null {
  const { customer_phone: phone, dropoff_address: address } = standardized
  if (typeof phone !== 'string' || typeof address !== 'string') return null
  const words = address
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  if (!words) return null
  return createHash('sha256')
    .update(JSON.stringify([merchantId, isTest, phone, words.join(' ')]))
    .digest()
}

/** What is said of an order whose point is far from where orders of its phone and address were handed over. */
export function addressWarnings(pin: Pin | null, dropoff: Point | null): string[] {
  if (!pin || !dropoff) return []
  const metres = Math.round(metresBetween(pin, dropoff))
  if (metres <= NEAR_M) return []
  const place = `${pin.lat.toFixed(5)}, ${pin.lng.toFixed(5)}`
  const confidence = pin.proofs >= 3 ? 'high' : pin.proofs === 2 ? 'medium' : 'low'
  return [
    `standardized.dropoff_lat and dropoff_lng are ${metres} m from ${place}, where orders for this phone and address were handed over (confidence: ${confidence}).`,
  ]
}

/** On a sphere. */
function metresBetween(a: Point, b: Point): number {
  const dLat = radians(b.lat - a.lat)
  const dLng = radians(b.lng - a.lng)
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLng / 2) ** 2
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)))
}
