import { type SignatureVersion, signatureHeaders } from '../domain/signature.ts'

export interface WebhookRequest {
  attemptId: string
  event: string
  eventId: string
  isTest: boolean
  body: Uint8Array
  secrets: readonly [string, ...string[]]
  signatureVersion: SignatureVersion
  at: Date
}

/** The headers of one attempt; the body is sent as it is. */
export function webhookHeaders(request: WebhookRequest): Record<string, string> {
  const { attemptId, event, eventId, isTest, body, secrets, signatureVersion, at } = request
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'delivery-dispatch-webhooks/1',
    'X-Service-Event': event,
    'X-Service-Delivery': attemptId,
    ...(isTest && { 'X-Service-Environment': 'test' }),
    ...signatureHeaders({
      version: signatureVersion,
      eventId,
      body,
      secrets,
      timestamp: Math.floor(at.getTime() / 1000),
    }),
  }
}
