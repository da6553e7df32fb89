import { type FieldFault, ServiceError } from '@svc/errors'
import { type OrderDraft, readDraft } from './order-draft.ts'
import { type OrderTimes, parseInstant, readTimes } from './order-times.ts'
import { defaultTimes, type Pickup } from './shipment.ts'
import type { JsonObject } from './unified-record.ts'

/** A row as it was sent. */
export interface SentRow {
  recipient_name?: string | undefined
  recipient_phone?: string | undefined
  dropoff_address?: string | undefined
  dropoff_lat?: string | undefined
  dropoff_lng?: string | undefined
  package_description?: string | undefined
  external_order_id?: string | undefined
  scheduled_pickup_at?: string | undefined
  delivery_window_start?: string | undefined
  delivery_window_end?: string | undefined
  /** What keeps the row from being read at all. */
  unreadable?: string | undefined
}

/** The times of the orders, as sent. */
export type SentTimes = Pick<SentRow, (typeof TIMES)[number]>

/** What the rows of a shipment have in common. */
export interface ForAllRows {
  shipmentId: string
  source: string
  pickup: Pickup | null
  times: SentTimes
  /** When an order is collected that says nothing of it, until the submit tells. */
  defaultPickupAt: Date
  now: Date
}

/** An order that a row became. */
export interface DraftedRow {
  /** From 1. */
  row: number
  draft: OrderDraft
  times: OrderTimes
}

const TIMES = ['scheduled_pickup_at', 'delivery_window_start', 'delivery_window_end'] as const
const LENGTHS = [
  ['recipient_name', 1, 200],
  ['recipient_phone', 1, 64],
  ['dropoff_address', 3, 500],
  ['package_description', 0, 2_000],
  ['external_order_id', 1, 512],
] as const
const REQUIRED: ReadonlySet<string> = new Set(['recipient_name', 'recipient_phone', 'dropoff_address'])
/** As rows call what a record calls otherwise. */
const NAMES: Readonly<Record<string, string>> = { customer_phone: 'recipient_phone', customer_name: 'recipient_name' }

/** The draft of an order that a row asks for, or every rule that it breaks, by its own fields. */
export function readRow(sent: SentRow, row: number, common: ForAllRows): DraftedRow | FieldFault[] {
  if (sent.unreadable !== undefined) return [{ field: '', rule: 'unreadable', message: sent.unreadable }]
  const faults = [...lengthFaults(sent), ...pointFaults(sent)]
  const stated = statedTimes(sent, common.times)
  const times = timesOf(stated, common)
  if (times instanceof ServiceError) faults.push(...faultsIn(times))
  if (faults.length > 0) return faults
  const isPriced = common.pickup?.point && sent.dropoff_lat
  const raw = { shipment_id: common.shipmentId, row, ...(!isPriced && { fee_basis: 'minimum' }) }
  try {
    const request = {
      source: common.source,
      externalOrderId: sent.external_order_id || `${common.shipmentId}:${row}`,
      rawPayloadJson: JSON.stringify(raw),
      standardizedJson: JSON.stringify(recordOf(sent, stated, common.pickup)),
    }
    return { row, draft: readDraft(request, 'draft'), times: times as OrderTimes }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'validation_error') return faultsIn(error)
    throw error
  }
}

/**
 * The times of an order as they are stated, or the rule that they break. Of one that states none, or its pickup alone, the
 * rest is what is usual.
 */
export function timesOf(
  stated: SentTimes,
  { defaultPickupAt, now }: Pick<ForAllRows, 'defaultPickupAt' | 'now'>,
): OrderTimes | ServiceError {
  const [pickup, start, end] = TIMES.map((name) => stated[name])
  if (start !== undefined || end !== undefined) return readTimes(stated as JsonObject, now)
  const at = pickup === undefined ? defaultPickupAt : parseInstant(pickup)
  if (at === null) return readTimes({ ...stated, ...windowFrom(defaultPickupAt) }, now)
  const usual = defaultTimes(at)
  const judged = pickup === undefined ? usual : readTimes({ ...stated, ...windowFrom(at) }, now)
  return judged instanceof ServiceError ? judged : usual
}

function windowFrom(at: Date): JsonObject {
  const { deliveryWindowStart, deliveryWindowEnd } = defaultTimes(at)
  return {
    delivery_window_start: deliveryWindowStart.toISOString(),
    delivery_window_end: deliveryWindowEnd.toISOString(),
  }
}

/** Its own, else those of its shipment; an empty cell states nothing. */
const statedTimes = (sent: SentRow, common: SentTimes): SentTimes =>
  Object.fromEntries(
    TIMES.flatMap((name) => {
      const value = sent[name] || common[name]
      return value ? [[name, value]] : []
    }),
  )

function recordOf(sent: SentRow, stated: SentTimes, pickup: Pickup | null): JsonObject {
  return {
    ...(pickup && { pickup_address: pickup.address }),
    ...(pickup?.point && { pickup_lat: pickup.point.lat, pickup_lng: pickup.point.lng }),
    dropoff_address: sent.dropoff_address,
    ...(sent.dropoff_lat && { dropoff_lat: Number(sent.dropoff_lat), dropoff_lng: Number(sent.dropoff_lng) }),
    customer_name: sent.recipient_name,
    customer_phone: sent.recipient_phone,
    ...(sent.package_description && { package_description: sent.package_description }),
    ...stated,
  }
}

function lengthFaults(sent: SentRow): FieldFault[] {
  return LENGTHS.flatMap(([field, min, max]): FieldFault[] => {
    const text = sent[field]
    if (text === undefined || text.trim() === '')
      return REQUIRED.has(field) ? [{ field, rule: 'required', message: `${field} is required.` }] : []
    if (text.length < min)
      return [{ field, rule: 'min', limit: min, message: `${field} must be at least ${min} characters long.` }]
    if (text.length > max)
      return [{ field, rule: 'max', limit: max, message: `${field} must be at most ${max} characters long.` }]
    return []
  })
}

function pointFaults(sent: SentRow): FieldFault[] {
  return (
    [
      ['dropoff_lat', 'dropoff_lng', 90],
      ['dropoff_lng', 'dropoff_lat', 180],
    ] as const
  ).flatMap(([field, other, limit]): FieldFault[] => {
    const text = sent[field]
    if (!text) return sent[other] ? [{ field, rule: 'required', message: `${field} is required beside ${other}.` }] : []
    if (isDegrees(text, limit)) return []
    return [{ field, rule: 'range', limit, message: `${field} must be a number from -${limit} to ${limit}.` }]
  })
}

const isDegrees = (text: string, limit: number): boolean =>
  text.length <= 32 && /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text) && Math.abs(Number(text)) <= limit

/** The faults that an error names, by the fields of the row. */
function faultsIn({ message, details }: ServiceError): FieldFault[] {
  const { fields, field = '', rule = 'invalid' } = details as { fields?: FieldFault[]; field?: string; rule?: string }
  return (fields ?? [{ field, rule, message }]).map((fault) => {
    const name = fault.field.replace('standardized.', '')
    const own = NAMES[name] ?? name
    return { ...fault, field: own, message: fault.message.replaceAll(`standardized.${name}`, own) }
  })
}
