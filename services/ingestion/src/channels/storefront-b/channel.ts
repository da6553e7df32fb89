import { createHash } from 'node:crypto'
import type { Config } from '../../config.ts'
import { base64Signature, hmacSha256 } from '../base64-signature.ts'
import type { Channel } from '../channel.ts'
import { idIn } from '../mapping.ts'
import { matchingSecret } from '../matching-secret.ts'
import { readKept } from '../read-kept.ts'
import { normalizeStorefrontB } from './normalize.ts'

const TOPIC = /^[a-z_]{1,64}\.[a-z_]{1,64}$/
const PING = /^webhook_id=\d{1,20}$/

/** A storefront that posts to its merchant's own address: base64 HMAC-SHA256 of the body by the merchant's secret. */
export function storefrontB({ storefrontBHeaderPrefix: prefix }: Config): Channel {
  const [signature, topic] = [`${prefix}signature`, `${prefix}topic`]
  const others = ['source', 'resource', 'event', 'id', 'delivery-id'].map((name) => prefix + name)
  const topicOf = (headers: Readonly<Record<string, string>>): string => {
    const said = headers[topic]?.toLowerCase() ?? ''
    return TOPIC.test(said) ? said : ''
  }
  return {
    name: 'storefront-b',
    platformSecrets: [],
    signatureHeader: signature,
    topicHeader: topic,
    keptHeaders: new Set(['content-type', 'user-agent', signature, topic, ...others]),
    // Without an answer of 200 the storefront does not create the hook at all.
    isPing: ({ headers, body }) =>
      body.length < 40 && PING.test(body.toString('latin1').trim()) && !headers.some(({ name }) => name === signature),
    verify(signed, secrets) {
      const given = base64Signature(signed, signature)
      return given && matchingSecret(given, secrets, (secret) => hmacSha256(secret, signed.body))
    },
    // The delivery's id is not signed: a body that is sent again under another is the same.
    dedupeKeyOf: ({ headers, body }) =>
      createHash('sha256')
        .update(`${topicOf(headers)}\n`)
        .update(body)
        .digest('hex'),
    read({ headers, body }) {
      const value = readKept(body)
      if (!value) return null
      const event = topicOf(headers)
      const isWanted = event === '' || event.startsWith('order.')
      return { event, isWanted, merchantId: null, externalOrderId: idIn(value['id']) }
    },
    normalize: normalizeStorefrontB,
  }
}
