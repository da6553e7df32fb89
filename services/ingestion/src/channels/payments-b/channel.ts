import { createHash } from 'node:crypto'
import type { Config } from '../../config.ts'
import { base64Signature, hmacSha256 } from '../base64-signature.ts'
import type { Channel, Signed } from '../channel.ts'
import { matchingSecret } from '../matching-secret.ts'
import { readKept } from '../read-kept.ts'
import { readEvent } from './event.ts'
import { isPayment, normalizePaymentsB } from './normalize.ts'

/** Of former days: it carries the secret itself, and nothing binds the body to it. */
const PLAIN_HEADER = 'verif-hash'

/**
 * Another payment provider, by the accounts of merchants: base64 HMAC-SHA256 of the body, or the plain secret. Where the
 * signature is there it alone decides.
 */
export function paymentsB({ paymentsBSignatureHeader: header }: Config): Channel {
  return {
    name: 'payments-b',
    platformSecrets: [],
    signatureHeader: header,
    // Without the one that carries the secret.
    keptHeaders: new Set(['content-type', 'user-agent', header]),
    verify(signed, secrets) {
      if (signed.headers.some(({ name }) => name === header)) {
        const given = base64Signature(signed, header)
        return given && matchingSecret(given, secrets, (secret) => hmacSha256(secret, signed.body))
      }
      const given = plainSecret(signed)
      return given === null ? null : matchingSecret(digestOf(given), secrets, digestOf)
    },
    dedupeKeyOf({ body }) {
      const value = readKept(body)
      return (value && readEvent(value)?.id) ?? `sha256:${digestOf(body).toString('hex')}`
    },
    read({ body }) {
      const value = readKept(body)
      const event = value && readEvent(value)
      if (!event) return null
      const { name, reference: externalOrderId } = event
      return { event: name, isWanted: isPayment(event), merchantId: null, externalOrderId }
    },
    normalize: normalizePaymentsB(header),
  }
}

/** Two are none: which one counts would be a guess. */
function plainSecret({ headers }: Signed): string | null {
  const [given, ...more] = headers.filter(({ name }) => name === PLAIN_HEADER)
  return given && more.length === 0 ? given.value : null
}

/** Of one length, whatever it is of. */
const digestOf = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest()
