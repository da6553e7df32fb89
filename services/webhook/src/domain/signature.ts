import { createHmac, randomBytes } from 'node:crypto'

export const SIGNATURE_VERSIONS = ['v1', 'v2'] as const

export type SignatureVersion = (typeof SIGNATURE_VERSIONS)[number]

/**
 * 32 random bytes; printable, so that it can be copied into any configuration, and without the prefix that Standard
 * Webhooks libraries would take off before they decode the rest.
 */
export const generateSecret = (): string => randomBytes(32).toString('base64url')

export interface Signable {
  version: SignatureVersion
  eventId: string
  body: Uint8Array
  /** Newest first; under v1 only the first signs. */
  secrets: readonly [string, ...string[]]
  /** Seconds since 1970 at the attempt; v2 only. */
  timestamp: number
}

/**
 * The signature headers of one attempt. v1 is the HMAC-SHA256 of the raw body; v2 covers event id, time and body, has one
 * entry per valid secret, and repeats the same digest in the form that Standard Webhooks libraries verify.
 */
export function signatureHeaders({ version, eventId, body, secrets, timestamp }: Signable): Record<string, string> {
  if (version === 'v1') {
    return { 'X-Service-Signature': `v1=${createHmac('sha256', secrets[0]).update(body).digest('hex')}` }
  }
  const digests = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${eventId}.${timestamp}.`).update(body).digest(),
  )
  return {
    'X-Service-Signature': [`t=${timestamp}`, ...digests.map((digest) => `v2=${digest.toString('hex')}`)].join(','),
    'X-Service-Event-Id': eventId,
    'X-Service-Timestamp': String(timestamp),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': digests.map((digest) => `v1,${digest.toString('base64')}`).join(' '),
  }
}
