import { BOUNDED_FIELDS } from './bounded-fields.ts'
import { type JsonObject, parseUnified, type UnifiedRecord } from './unified-record.ts'

/** Facts are at most 256 KiB; 4 KiB of them are left to everything but the unified record. */
export const FACT_JSON_LIMIT_BYTES = 252 * 1024

/** What a change of a test order tells of its record: each fact is copied into events and deliveries, and a sandbox is free. */
export const TEST_FACT_JSON_LIMIT_BYTES = 16 * 1024

const TRUNCATED = { truncated: true }

const BOUNDED = new Set(BOUNDED_FIELDS)

/** What gives way first: the caller's payload, then the items, then keys that this service does not know. */
const CUTS: ReadonlyArray<(record: UnifiedRecord) => UnifiedRecord> = [
  (record) => ({ ...record, raw_payload: TRUNCATED }),
  (record) => ({ ...record, standardized: { ...record.standardized, items: TRUNCATED } }),
  (record) => ({ ...record, standardized: { ...boundedOnly(record.standardized), items: TRUNCATED, ...TRUNCATED } }),
]

const boundedOnly = (standardized: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(standardized).filter(([name]) => BOUNDED.has(name)))

/** The unified record as a fact carries it: whole up to the limit, beyond it with its largest parts cut. */
export function factJson(unifiedJson: string, limitBytes = FACT_JSON_LIMIT_BYTES): string {
  let json = unifiedJson
  let record: UnifiedRecord | undefined
  for (const cut of CUTS) {
    if (Buffer.byteLength(json) <= limitBytes) return json
    record = cut(record ?? parseUnified(json))
    json = JSON.stringify(record)
  }
  return json
}
