import { isUuid } from '@svc/inputs'
import { dedupeKeyOf, parsePaymentEvent, signHook } from '@svc/payments'
import type { Config } from '../../config.ts'
import type { Channel, Signed } from '../channel.ts'
import { matchingSecret } from '../matching-secret.ts'
import { normalizePaymentsA, paidOrderIn } from './paid-order.ts'
import { forPerson, WANTED_EVENTS } from './wanted-events.ts'

const HEX_SHA512 = /^[0-9a-f]{128}$/

/** The payment provider: lower-case hex HMAC-SHA512 of the body, by the key that authorises calls of its API. */
export function paymentsA(config: Config): Channel {
  const { paymentsSecretKey: current, paymentsPreviousSecretKey: previous, paymentsSignatureHeader: header } = config
  return {
    name: 'payments-a',
    platformSecrets: current === undefined ? [] : [current, ...(previous === undefined ? [] : [previous])],
    signatureHeader: header,
    keptHeaders: new Set(['content-type', 'user-agent', header]),
    verify(signed, secrets) {
      const signature = signatureOf(signed, header)
      if (signature === null) return null
      return matchingSecret(signature, secrets, (secret) => Buffer.from(signHook(secret, signed.body), 'hex'))
    },
    dedupeKeyOf: ({ body }) => dedupeKeyOf(body),
    read({ body, signer = 'platform' }) {
      const hook = parsePaymentEvent(body)
      if (!hook) return null
      const { event, metadata } = hook
      const reason = signer === 'platform' ? forPerson(event) : undefined
      return { event, isWanted: WANTED_EVENTS.has(event), forPerson: reason, merchantId: claimed(metadata) }
    },
    normalize: normalizePaymentsA,
    orderBeside: paidOrderIn,
  }
}

/** Two signatures are none: which one counts would be a guess. */
function signatureOf({ headers }: Signed, wanted: string): Buffer | null {
  const [signature, ...more] = headers.filter(({ name }) => name === wanted)
  if (!signature || more.length > 0 || !HEX_SHA512.test(signature.value)) return null
  return Buffer.from(signature.value, 'hex')
}

const claimed = ({ merchant_id }: Readonly<Record<string, unknown>>): string | null =>
  typeof merchant_id === 'string' && isUuid(merchant_id) ? merchant_id.toLowerCase() : null
