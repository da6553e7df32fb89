import type { Config } from '../../config.ts'
import type { Channel } from '../channel.ts'
import { idIn } from '../mapping.ts'
import { readKept } from '../read-kept.ts'
import { storefront } from '../storefront.ts'
import { decodedSecret } from './decoded-secret.ts'
import { normalizeStorefrontB } from './normalize.ts'

const PING = /^webhook_id=\d{1,20}$/

/** A storefront that posts to its merchant's own address. */
export function storefrontB({ storefrontBHeaderPrefix: prefix }: Config): Channel {
  const { shared, topicOf } = storefront({
    prefix,
    signature: 'signature',
    topic: /^[a-z_]{1,64}\.[a-z_]{1,64}$/,
    others: ['source', 'resource', 'event', 'id', 'delivery-id'],
    keyOf: decodedSecret,
  })
  return {
    name: 'storefront-b',
    ...shared,
    // Without an answer of 200 the storefront does not create the hook at all.
    isPing: ({ headers, body }) =>
      body.length < 40 &&
      PING.test(body.toString('latin1').trim()) &&
      !headers.some(({ name }) => name === shared.signatureHeader),
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
