import { createHmac } from 'node:crypto'

/** The headers with which an event is posted, as the service itself would: docs/guides/webhooks.md. */
export function signedHeaders(
  secret: string,
  version: 'v1' | 'v2',
  eventId: string,
  body: string,
  at: Date,
): Record<string, string> {
  const hmac = (text: string, encoding: 'hex' | 'base64') => createHmac('sha256', secret).update(text).digest(encoding)
  if (version === 'v1') return { 'X-Service-Signature': `v1=${hmac(body, 'hex')}` }
  const time = Math.floor(at.getTime() / 1000)
  const text = `${eventId}.${time}.${body}`
  return {
    'X-Service-Signature': `t=${time},v2=${hmac(text, 'hex')}`,
    'X-Service-Event-Id': eventId,
    'X-Service-Timestamp': String(time),
    'webhook-id': eventId,
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,${hmac(text, 'base64')}`,
  }
}
