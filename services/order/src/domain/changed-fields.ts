import type { OrderDraft } from './order-draft.ts'
import { parseUnified } from './unified-record.ts'

/** Enough to see what differs; more would only repeat the request. */
const MOST = 100

interface Stored {
  unifiedJson: string
  vehicleTypeSource: string | null
}

/**
 * Paths in which a request differs from the order stored for the same (source, external_order_id), what this service
 * filled in itself left out. Requests that differ only in the notation of a phone number name the phone.
 */
export function changedFields(stored: Stored, draft: OrderDraft): string[] {
  const record = parseUnified(stored.unifiedJson)
  const sent = parseUnified(draft.unifiedJson)
  const standardized = { ...draft.standardized, ...(draft.riderId && { rider_id: draft.riderId }) }
  const differing = [
    ...differences(standardized, record.standardized, 'standardized'),
    ...differences(sent.raw_payload, record.raw_payload, 'raw_payload'),
  ].filter((path) => !isFilledIn(path, draft))
  const changed = [...new Set([...differing, ...vehicleChange(stored, draft)])].slice(0, MOST)
  if (changed.length > 0) return changed
  // Left to what this service changes itself: the notation of the phone, or a rider named first and then no more.
  return record.standardized.rider_id ? ['standardized.customer_phone', RIDER] : ['standardized.customer_phone']
}

const RIDER = 'standardized.rider_id'

const VEHICLE = 'standardized.vehicle_type_hint'

/** Stating a vehicle and leaving it to be derived are different requests, even when they come to the same. */
const vehicleChange = (stored: Stored, draft: OrderDraft): string[] =>
  (stored.vehicleTypeSource === 'caller') === (draft.vehicleTypeSource === 'caller') ? [] : [VEHICLE]

/** Left out by the caller and supplied by this service, either from the start or when a rider was assigned. */
function isFilledIn(path: string, { sent, standardized, vehicleTypeSource }: OrderDraft): boolean {
  if (path === RIDER) return (sent.rider_id ?? null) === null
  if (path === VEHICLE) return vehicleTypeSource !== 'caller'
  const name = /^standardized\.([a-z_]+)$/.exec(path)?.[1]
  return name !== undefined && (sent[name] ?? null) === null && (standardized[name] ?? null) !== null
}

function* differences(left: unknown, right: unknown, path: string): Generator<string> {
  if (Object.is(left, right)) return
  if (Array.isArray(left) && Array.isArray(right)) {
    for (let at = 0; at < Math.max(left.length, right.length); at++) {
      yield* differences(left[at], right[at], `${path}[${at}]`)
    }
  } else if (isObject(left) && isObject(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      yield* differences(left[key], right[key], `${path}.${key}`)
    }
  } else {
    yield path
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
