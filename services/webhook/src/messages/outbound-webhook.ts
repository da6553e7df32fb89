import type { Attempt, OutboundWebhook } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import type { Config } from '../config.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import type { PostResult } from '../peers/post-webhook.ts'

/** What may be told of an endpoint; of its secrets only whether they exist. */
export function outboundWebhookMessage(
  { outboundWebhookSignatureVersion }: Config,
  endpoint: Endpoint,
): OutboundWebhook {
  return {
    url: endpoint.url ?? undefined,
    enabled: endpoint.enabled,
    secret_configured: endpoint.secret !== null,
    events: [...endpoint.events],
    signature_version: endpoint.signatureVersion ?? outboundWebhookSignatureVersion,
    test_url: endpoint.testUrl ?? undefined,
    test_secret_configured: endpoint.testSecret !== null,
    updated_at: endpoint.updatedAt?.toISOString(),
  }
}

/** The one attempt of a test. */
export function testAttemptMessage(result: PostResult): Attempt {
  return {
    attempt: 1,
    at: result.at.toISOString(),
    duration_ms: result.durationMs,
    status_code: result.statusCode ?? undefined,
    error: result.error ?? undefined,
    response_snippet: result.responseSnippet ?? undefined,
  }
}
