import { type FieldFault, refuseFaults, validationError } from '@svc/errors'
import { isUuid } from '@svc/inputs'
import { VEHICLES } from '@svc/parcel'
import { normalizePhone } from '@svc/phone'
import { fingerprint } from './fingerprint.ts'
import type { JsonObject } from './unified-record.ts'
import { deriveVehicle } from './vehicle.ts'

/** What a creation request asks for, checked and normalised; its times are judged apart, by the clock of the database. */
export interface OrderDraft {
  /** What the order is once it is stored. */
  status: DraftStatus
  source: string
  externalOrderId: string
  /** As sent, and with phone, vehicle and item quantities filled in. */
  sent: JsonObject
  standardized: JsonObject
  unifiedJson: string
  fingerprint: Buffer
  /** Paid for when it came. */
  paymentVerified: boolean
  pickup: Point | null
  dropoff: Point | null
  vehicleTypeHint: string | null
  vehicleTypeSource: 'caller' | 'derived' | null
  /** The rider that the order is for from the start; part of the record once dispatch has agreed. */
  riderId: string | null
  /** Outside the fingerprint: it says what the order costs, not what it is. */
  quoteId: string | null
}

/** An order is pending from the start, or a draft until its shipment is submitted. */
type DraftStatus = 'pending' | 'draft'

export interface Point {
  lat: number
  lng: number
}

export interface CreationRequest {
  source: string
  externalOrderId: string
  rawPayloadJson: string
  standardizedJson: string
  quoteId?: string | undefined
  /** As a third party's hook says; no call of a merchant creates a paid order. */
  paymentVerified?: boolean
}

/** Where a draft is collected is judged when its shipment is submitted. */
const REQUIRED: Readonly<Record<DraftStatus, readonly string[]>> = {
  pending: ['pickup_address', 'dropoff_address', 'customer_phone'],
  draft: ['dropoff_address', 'customer_phone'],
}
const SOURCE = /^[a-z0-9_.-]{1,64}$/
/** Far above any, and far below where a rider's balance would cease to be an exact integer. */
const MAX_COMMISSION_MINOR = 1_000_000_000_000

/** Reads a creation request; throws validation_error naming every field that is not valid. The input is not changed. */
export function readDraft(request: CreationRequest, status: DraftStatus = 'pending'): OrderDraft {
  const rawPayload = parseObject(request.rawPayloadJson, 'raw_payload')
  const sent = parseObject(request.standardizedJson, 'standardized')
  const phone = typeof sent.customer_phone === 'string' ? normalizePhone(sent.customer_phone) : null
  refuseFaults(faultsOf(request, sent, phone, REQUIRED[status]))

  const standardized = normalize(sent, phone)
  const { source, externalOrderId, paymentVerified = false } = request
  return {
    status,
    source,
    externalOrderId,
    sent,
    standardized,
    unifiedJson: unifiedJson({ status, paymentVerified }, request.rawPayloadJson, standardized),
    paymentVerified,
    fingerprint: fingerprint({ source, externalOrderId, standardized: sent, rawPayload }),
    pickup: pointOf(sent, 'pickup'),
    dropoff: pointOf(sent, 'dropoff'),
    vehicleTypeHint: (standardized.vehicle_type_hint as string | null | undefined) ?? null,
    vehicleTypeSource: vehicleSource(sent, standardized),
    riderId: (sent.rider_id as string | null | undefined)?.toLowerCase() ?? null,
    quoteId: request.quoteId ?? null,
  }
}

function normalize(sent: JsonObject, phone: string | null): JsonObject {
  const { rider_id: _, ...record } = sent
  const standardized: JsonObject = { ...record, customer_phone: phone }
  if (Array.isArray(sent.items)) {
    standardized.items = (sent.items as JsonObject[]).map((item) => ({ ...item, quantity: item.quantity ?? 1 }))
  }
  const vehicle = sent.vehicle_type_hint ?? deriveVehicle(sent)
  return vehicle === null ? standardized : { ...standardized, vehicle_type_hint: vehicle }
}

/** The payload is embedded as it came, so that no digit of its numbers changes. By its beginning create_order() knows what is paid. */
const unifiedJson = (
  { status, paymentVerified }: Pick<OrderDraft, 'status' | 'paymentVerified'>,
  rawPayloadJson: string,
  standardized: JsonObject,
): string =>
  `{"schema_version":"1","status":"${status}","payment_verified":${paymentVerified},"raw_payload":${rawPayloadJson},` +
  `"standardized":${JSON.stringify(standardized)}}`

function vehicleSource(sent: JsonObject, standardized: JsonObject): 'caller' | 'derived' | null {
  if ((sent.vehicle_type_hint ?? null) !== null) return 'caller'
  return (standardized.vehicle_type_hint ?? null) === null ? null : 'derived'
}

function pointOf(standardized: JsonObject, end: 'pickup' | 'dropoff'): Point | null {
  const lat = standardized[`${end}_lat`]
  const lng = standardized[`${end}_lng`]
  return typeof lat === 'number' && typeof lng === 'number' ? { lat, lng } : null
}

function parseObject(json: string, field: string): JsonObject {
  const value = parseJson(json)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw validationError([{ field, rule: 'type', message: `${field} must be an object.` }])
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** What this service relies on in a record. The form of all other fields is the public contract's matter. */
function faultsOf(
  { source, externalOrderId, quoteId }: CreationRequest,
  sent: JsonObject,
  phone: string | null,
  required: readonly string[],
): FieldFault[] {
  const faults: FieldFault[] = []
  const check = (isValid: boolean, field: string, rule: string, message: string): void => {
    if (!isValid) faults.push({ field, rule, message: `${field} ${message}` })
  }
  check(SOURCE.test(source), 'source', 'pattern', 'must be 1 to 64 characters of a-z, 0-9, "_", "." and "-".')
  check(
    externalOrderId !== '' && externalOrderId.length <= 512,
    'external_order_id',
    'length',
    'must have 1 to 512 characters.',
  )
  for (const name of required) {
    check(typeof sent[name] === 'string' && sent[name] !== '', `standardized.${name}`, 'required', 'is required.')
  }
  if (typeof sent.customer_phone === 'string' && sent.customer_phone !== '') {
    check(phone !== null, 'standardized.customer_phone', 'phone', 'must be an E.164 or Nigerian local phone number.')
  }
  checkPoint(sent, 'pickup', check)
  checkPoint(sent, 'dropoff', check)
  const hint = sent.vehicle_type_hint ?? null
  check(
    hint === null || VEHICLES.includes(hint as never),
    'standardized.vehicle_type_hint',
    'enum',
    `must be one of ${VEHICLES.join(', ')}.`,
  )
  check(
    (sent.rider_id ?? null) === null || isUuidText(sent.rider_id),
    'standardized.rider_id',
    'uuid',
    'must be a UUID.',
  )
  const commission = sent.delivery_commission_minor ?? null
  check(
    commission === null || isCommission(commission),
    'standardized.delivery_commission_minor',
    'range',
    `must be a whole number of minor units from 0 to ${MAX_COMMISSION_MINOR}.`,
  )
  check(quoteId === undefined || isUuidText(quoteId), 'quote_id', 'uuid', 'must be a UUID.')
  check(
    (sent.items ?? null) === null || isListOfObjects(sent.items),
    'standardized.items',
    'type',
    'must be a list of objects.',
  )
  return faults
}

type Check = (isValid: boolean, field: string, rule: string, message: string) => void

function checkPoint(sent: JsonObject, end: 'pickup' | 'dropoff', check: Check): void {
  for (const [name, other, limit] of [
    ['lat', 'lng', 90],
    ['lng', 'lat', 180],
  ] as const) {
    const value = sent[`${end}_${name}`] ?? null
    const field = `standardized.${end}_${name}`
    const isDegree = typeof value === 'number' && Math.abs(value) <= limit
    check(value === null || isDegree, field, 'range', `must be a number from -${limit} to ${limit}.`)
    const isPaired = value !== null || (sent[`${end}_${other}`] ?? null) === null
    check(isPaired, field, 'required', `is required beside standardized.${end}_${other}.`)
  }
}

const isUuidText = (value: unknown): boolean => typeof value === 'string' && isUuid(value)

const isCommission = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COMMISSION_MINOR

const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
