import { type JsonObject, parseUnified, type UnifiedRecord } from './unified-record.ts'

/** Facts are at most 256 KiB; 4 KiB of them are left to everything but the unified record. */
export const FACT_JSON_LIMIT_BYTES = 252 * 1024

const TRUNCATED = { truncated: true }

/** Known scalar fields of a standardized record; their lengths are limited when an order is accepted. */
const BOUNDED = new Set(
  [
    'pickup_address dropoff_address customer_phone customer_name notes scheduled_pickup_at delivery_window_start',
    'delivery_window_end pickup_lat pickup_lng dropoff_lat dropoff_lng cod_amount_minor cod_currency weight_kg length_cm',
    'width_cm height_cm is_fragile vehicle_type_hint rider_id delivery_commission_minor',
  ]
    .join(' ')
    .split(' '),
)

/** What gives way first: the caller's payload, then the items, then keys that this service does not know. */
const CUTS: ReadonlyArray<(record: UnifiedRecord) => UnifiedRecord> = [
  (record) => ({ ...record, raw_payload: TRUNCATED }),
  (record) => ({ ...record, standardized: { ...record.standardized, items: TRUNCATED } }),
  (record) => ({ ...record, standardized: { ...boundedOnly(record.standardized), items: TRUNCATED, ...TRUNCATED } }),
]

const boundedOnly = (standardized: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(standardized).filter(([name]) => BOUNDED.has(name)))

/** The unified record as a fact carries it: whole up to the limit, beyond it with its largest parts cut. */
export function factJson(unifiedJson: string): string {
  let json = unifiedJson
  let record: UnifiedRecord | undefined
  for (const cut of CUTS) {
    if (Buffer.byteLength(json) <= FACT_JSON_LIMIT_BYTES) return json
    record = cut(record ?? parseUnified(json))
    json = JSON.stringify(record)
  }
  return json
}
