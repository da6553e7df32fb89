import { createHash } from 'node:crypto'
import { validationError } from '@svc/errors'
import canonicalize from 'canonicalize'

/** What an Idempotency-Key header asks of the service that owns the effect. */
export interface Idempotency {
  key: string
  request_hash: Buffer
}

const PRINTABLE_ASCII = /^[\x20-\x7e]{1,255}$/

/**
 * Reads the Idempotency-Key. The hash is one and the same for every spelling of the same JSON, and differs between
 * routes, so that a key used with another request is recognised as such.
 */
export function readIdempotency(header: string | undefined, operation: string, body: unknown): Idempotency | undefined {
  if (header === undefined) return undefined
  if (!PRINTABLE_ASCII.test(header)) {
    const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters.'
    throw validationError([{ field: 'Idempotency-Key', rule: 'format', limit: 255, message }])
  }
  const request_hash = createHash('sha256')
    .update(`${operation}\n${canonicalize(body) ?? ''}`)
    .digest()
  return { key: header, request_hash }
}
