import { createHash } from 'node:crypto'
import { shopDomain } from '@svc/inputs'
import type { Config } from '../../config.ts'
import { base64Signature, hmacSha256 } from '../base64-signature.ts'
import type { Channel } from '../channel.ts'
import { matchingSecret } from '../matching-secret.ts'
import { readKept } from '../read-kept.ts'
import { normalizeStorefrontA, orderIdIn } from './normalize.ts'
import { WANTED_TOPICS } from './wanted-topics.ts'

const TOPIC = /^[a-z_]{1,64}\/[a-z_]{1,64}$/

/**
 * A storefront whose hooks name the shop in a header: base64 HMAC-SHA256 of the body by the secret of that shop's merchant.
 * No other secret verifies them: one that several shops share would let each sign for the others.
 */
export function storefrontA({ storefrontAHeaderPrefix: prefix }: Config): Channel {
  const [signature, shop, topic] = [`${prefix}hmac-sha256`, `${prefix}shop-domain`, `${prefix}topic`]
  const others = ['webhook-id', 'event-id', 'triggered-at', 'api-version'].map((name) => prefix + name)
  const topicOf = (headers: Readonly<Record<string, string>>): string => {
    const said = headers[topic]?.toLowerCase() ?? ''
    return TOPIC.test(said) ? said : ''
  }
  return {
    name: 'storefront-a',
    platformSecrets: [],
    signatureHeader: signature,
    topicHeader: topic,
    keptHeaders: new Set(['content-type', 'user-agent', signature, shop, topic, ...others]),
    shopDomainOf({ headers }) {
      const [named, ...more] = headers.filter(({ name }) => name === shop)
      return named && more.length === 0 ? shopDomain(named.value) : null
    },
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
      return { event, isWanted: WANTED_TOPICS.has(event), merchantId: null, externalOrderId: orderIdIn(value) }
    },
    normalize: normalizeStorefrontA,
  }
}
