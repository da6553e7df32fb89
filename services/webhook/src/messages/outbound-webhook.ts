import type { Attempt, OutboundWebhook } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import type { Config } from '../config.ts'
import { type Endpoints, ownSandbox } from '../domain/endpoint.ts'
import type { PostResult } from '../peers/post-webhook.ts'

/**
 * What may be told of a merchant's endpoints; of their secrets only whether they exist. To test credentials the sandbox
 * endpoint is the only one; to all others it is told beside the live one.
 */
export function outboundWebhookMessage(
  { outboundWebhookSignatureVersion }: Config,
  endpoints: Endpoints,
  { onlySandbox }: { onlySandbox: boolean },
): OutboundWebhook {
  const endpoint = onlySandbox ? ownSandbox(endpoints) : endpoints.live
  return {
    url: endpoint.url ?? undefined,
    enabled: endpoint.enabled,
    secret_configured: endpoint.secret !== null,
    events: [...endpoint.events],
    signature_version: endpoint.signatureVersion ?? outboundWebhookSignatureVersion,
    test_url: endpoints.sandbox.url ?? undefined,
    test_secret_configured: endpoints.sandbox.secret !== null,
    disabled_reason: endpoint.disabledReason ?? undefined,
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
