import { shopDomain } from '@svc/inputs'
import type { Config } from '../../config.ts'
import type { Channel } from '../channel.ts'
import { readKept } from '../read-kept.ts'
import { storefront } from '../storefront.ts'
import { normalizeStorefrontA, orderIdIn } from './normalize.ts'
import { WANTED_TOPICS } from './wanted-topics.ts'

/**
 * A storefront whose hooks name the shop in a header, and are verified by the secrets of the merchants that say it is
 * theirs. No other secret verifies them: one that several shops share would let each sign for the others.
 */
export function storefrontA({ storefrontAHeaderPrefix: prefix }: Config): Channel {
  const shop = `${prefix}shop-domain`
  const { shared, topicOf } = storefront({
    prefix,
    signature: 'hmac-sha256',
    topic: /^[a-z_]{1,64}\/[a-z_]{1,64}$/,
    others: ['shop-domain', 'webhook-id', 'event-id', 'triggered-at', 'api-version'],
  })
  return {
    name: 'storefront-a',
    ...shared,
    shopDomainOf({ headers }) {
      const [named, ...more] = headers.filter(({ name }) => name === shop)
      return named && more.length === 0 ? shopDomain(named.value) : null
    },
    read({ headers, body }) {
      const value = readKept(body)
      if (!value) return null
      const event = topicOf(headers)
      return { event, isWanted: WANTED_TOPICS.has(event), merchantId: null, externalOrderId: orderIdIn(value) }
    },
    normalize: normalizeStorefrontA,
  }
}
