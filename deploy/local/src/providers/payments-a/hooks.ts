import { createHmac } from 'node:crypto'
import type { HookSender } from '../provider.ts'

/**
 * How this provider signs: the digest of the body under the API's own key, without a time. A stale signature is
 * therefore one made with a key that counts no more.
 */
export function hookSender(secretKey: string): HookSender {
  const digest = (key: string, body: Buffer) => createHmac('sha512', key).update(body)
  const signatures: Record<string, (body: Buffer) => string | null> = {
    good: (body) => digest(secretKey, body).digest('hex'),
    base64: (body) => digest(secretKey, body).digest('base64'),
    bad: (body) => digest('sk_test_of_somebody_else', body).digest('hex'),
    stale: (body) => digest(`${secretKey}_of_last_year`, body).digest('hex'),
    none: () => null,
  }
  return {
    defaultPath: '/webhooks/payments-a/platform',
    signModes: Object.keys(signatures),
    headers(body, sign): Record<string, string> {
      const signature = signatures[sign]?.(body)
      return signature ? { 'x-payments-a-signature': signature } : {}
    },
  }
}
