import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { JsonObject } from './unified-record.ts'

export interface RequestContent {
  source: string
  externalOrderId: string
  standardized: JsonObject
  rawPayload: JsonObject
}

/** SHA-256 of the canonical JSON (RFC 8785) of a creation request as sent: equal exactly when the requests say the same. */
export function fingerprint({ source, externalOrderId, standardized, rawPayload }: RequestContent): Buffer {
  const content = {
    schema_version: '1',
    source,
    external_order_id: externalOrderId,
    standardized,
    raw_payload: rawPayload,
  }
  return createHash('sha256')
    .update(canonicalize(content) as string)
    .digest()
}
