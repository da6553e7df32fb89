import { createHash } from 'node:crypto'
import { base64Signature, hmacSha256 } from './base64-signature.ts'
import type { Channel } from './channel.ts'
import { matchingSecret } from './matching-secret.ts'

interface Header {
  /** What stands before the names of its headers. */
  prefix: string
  signature: string
  topic: RegExp
  /** Of the other headers that are kept. */
  others: readonly string[]
  /** What of a secret, as its merchant has written it, is the key. */
  keyOf?: (secret: string) => string
}

type Shared = 'platformSecrets' | 'signatureHeader' | 'topicHeader' | 'keptHeaders' | 'verify' | 'dedupeKeyOf'

/**
 * What storefronts have in common: base64 HMAC-SHA256 of the body by a merchant's own secret, a topic that is not signed,
 * and one event per topic and bytes: the delivery's id is not signed, so a body that comes again under another is the same.
 */
export function storefront({ prefix, signature: signed, topic: form, others, keyOf = (secret) => secret }: Header) {
  const [signatureHeader, topicHeader] = [prefix + signed, `${prefix}topic`]
  const topicOf = (headers: Readonly<Record<string, string>>): string => {
    const said = headers[topicHeader]?.toLowerCase() ?? ''
    return form.test(said) ? said : ''
  }
  const shared: Pick<Channel, Shared> = {
    platformSecrets: [],
    signatureHeader,
    topicHeader,
    keptHeaders: new Set([
      'content-type',
      'user-agent',
      signatureHeader,
      topicHeader,
      ...others.map((name) => prefix + name),
    ]),
    verify(hook, secrets) {
      const given = base64Signature(hook, signatureHeader)
      return given && matchingSecret(given, secrets, (secret) => hmacSha256(keyOf(secret), hook.body))
    },
    dedupeKeyOf: ({ headers, body }) =>
      createHash('sha256')
        .update(`${topicOf(headers)}\n`)
        .update(body)
        .digest('hex'),
  }
  return { shared, topicOf }
}
