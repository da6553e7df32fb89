import { ServiceError } from '@svc/errors'
import type { JsonObject } from './unified-record.ts'

export interface OrderTimes {
  scheduledPickupAt: Date
  deliveryWindowStart: Date
  deliveryWindowEnd: Date
}

/** How far a caller's clock may lag behind ours before its pickup time counts as past. */
export const PICKUP_SKEW_MS = 60_000

const ISO_8601 = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** The instant of an ISO-8601 date and time with offset or Z; null for everything else, 30 February included. */
export function parseInstant(value: unknown): Date | null {
  const parts = typeof value === 'string' ? ISO_8601.exec(value) : null
  if (!parts) return null
  const [year, month, day] = parts.slice(1, 4).map(Number) as [number, number, number]
  const calendar = new Date(Date.UTC(year, month - 1, day))
  if (calendar.getUTCMonth() !== month - 1 || calendar.getUTCDate() !== day) return null
  const instant = new Date(value as string)
  return Number.isNaN(instant.getTime()) ? null : instant
}

/** The times that a record does not state, as it states them. */
export const timeTexts = (times: OrderTimes, standardized: JsonObject): JsonObject =>
  Object.fromEntries(
    TIME_FIELDS.flatMap(([name, field]) =>
      (standardized[name] ?? null) === null ? [[name, times[field].toISOString()]] : [],
    ),
  )

const TIME_FIELDS = [
  ['scheduled_pickup_at', 'scheduledPickupAt'],
  ['delivery_window_start', 'deliveryWindowStart'],
  ['delivery_window_end', 'deliveryWindowEnd'],
] as const

type TimeCode = 'missing_pickup_time' | 'missing_delivery_window' | 'invalid_pickup_time' | 'invalid_delivery_window'

const RULES = {
  required: 'is required',
  iso8601: 'must be an ISO-8601 date and time with offset or Z',
  in_future: 'must be in the future',
  start_before_end: 'must be before delivery_window_end',
  pickup_before_window_end: 'must be after scheduled_pickup_at',
} as const

const fault = (code: TimeCode, name: string, rule: keyof typeof RULES): ServiceError =>
  new ServiceError(code, { message: `${name} ${RULES[rule]}.`, details: { field: `standardized.${name}`, rule } })

const TIMES = [
  ['scheduled_pickup_at', 'missing_pickup_time', 'invalid_pickup_time'],
  ['delivery_window_start', 'missing_delivery_window', 'invalid_delivery_window'],
  ['delivery_window_end', 'missing_delivery_window', 'invalid_delivery_window'],
] as const

/**
 * The times of a standardized record, or the first rule they break: presence, form, pickup in the future, window.
 * Without `now` the rule of the future is left to the caller, who will have the clock.
 */
export function readTimes(standardized: JsonObject, now: Date | null): OrderTimes | ServiceError {
  const absent = TIMES.find(([name]) => (standardized[name] ?? null) === null)
  if (absent) return fault(absent[1], absent[0], 'required')
  const malformed = TIMES.find(([name]) => parseInstant(standardized[name]) === null)
  if (malformed) return fault(malformed[2], malformed[0], 'iso8601')

  const [pickup, start, end] = TIMES.map(([name]) => parseInstant(standardized[name])) as [Date, Date, Date]
  if (now && pickup.getTime() + PICKUP_SKEW_MS <= now.getTime()) {
    return fault('invalid_pickup_time', 'scheduled_pickup_at', 'in_future')
  }
  if (start >= end) return fault('invalid_delivery_window', 'delivery_window_start', 'start_before_end')
  if (pickup >= end) return fault('invalid_delivery_window', 'delivery_window_end', 'pickup_before_window_end')
  return { scheduledPickupAt: pickup, deliveryWindowStart: start, deliveryWindowEnd: end }
}
