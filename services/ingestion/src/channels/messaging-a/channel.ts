import { createHash, createHmac } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Channel, Signed } from '../channel.ts'
import { idIn, textIn } from '../mapping.ts'
import { matchingSecret } from '../matching-secret.ts'
import { readKept } from '../read-kept.ts'
import { readMessage } from './message.ts'

const HEX_SHA512 = /^[0-9a-fA-F]{128}$/
/** With its padding or without, of either alphabet. */
const BASE64_SHA512 = /^[A-Za-z0-9+/_-]{86}(==)?$/

/**
 * The messaging provider: HMAC-SHA512 of the body by the secret key, as hex or base64. Messages of customers are talked
 * about with them by this service; reports of what was sent are not used.
 */
export function messagingA(config: Config): Channel {
  const { messagingSecretKey: current, messagingPreviousSecretKey: previous, messagingSignatureHeader: header } = config
  return {
    name: 'messaging-a',
    isConversation: true,
    platformSecrets: [current, previous].filter((key) => key !== undefined),
    signatureHeader: header,
    keptHeaders: new Set(['content-type', 'user-agent', header]),
    verify(signed, secrets) {
      const given = signatureOf(signed, header)
      return given && matchingSecret(given, secrets, (secret) => hmacSha512(secret, signed.body))
    },
    dedupeKeyOf({ body }) {
      const value = readKept(body)
      const parts = [value?.['type'], value?.['message_id'], value?.['status']].map(
        (part) => idIn(part) ?? textIn(part),
      )
      const key = parts.join(':')
      return parts[1] !== null && key.length <= 255 ? key : `sha256:${createHash('sha256').update(body).digest('hex')}`
    },
    read({ body }) {
      const value = readKept(body)
      const event = textIn(value?.['type'])
      if (!value || event === null || event.length > 64) return null
      return { event, isWanted: readMessage(value) !== null, merchantId: null }
    },
  }
}

/** Two signatures are none: which one counts would be a guess. */
function signatureOf({ headers }: Signed, wanted: string): Buffer | null {
  const [signature, ...more] = headers.filter(({ name }) => name === wanted)
  if (!signature || more.length > 0) return null
  if (HEX_SHA512.test(signature.value)) return Buffer.from(signature.value, 'hex')
  return BASE64_SHA512.test(signature.value) ? Buffer.from(signature.value, 'base64') : null
}

const hmacSha512 = (secret: string, body: Buffer): Buffer => createHmac('sha512', secret).update(body).digest()
