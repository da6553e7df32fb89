import { hash } from 'node:crypto'
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
  return hash('sha256', canonicalize(content) as string, 'buffer')
}

/**
 * The fingerprint of every order that hooks tell of: two hooks of one order say the same whatever else they hold, and none
 * says what a request of the API does.
 */
export const ingestedFingerprint = ({ source, externalOrderId }: Pick<RequestContent, 'source' | 'externalOrderId'>) =>
  hash('sha256', canonicalize({ ingested: true, source, external_order_id: externalOrderId }) as string, 'buffer')
