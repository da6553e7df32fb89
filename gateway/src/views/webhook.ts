import type { Delivery } from '@svc/contracts/webhook/v1/delivery_service'
import type { Attempt, OutboundWebhook } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import { orNull } from './or-null.ts'

/** A merchant's outbound endpoint; secrets are only said to exist. */
export function outboundWebhookView(webhook: OutboundWebhook): Record<string, unknown> {
  return {
    url: orNull(webhook.url),
    enabled: webhook.enabled,
    outboundWebhookSecretConfigured: webhook.secret_configured,
    events: webhook.events,
    signature_version: webhook.signature_version,
    test_url: orNull(webhook.test_url),
    testOutboundWebhookSecretConfigured: webhook.test_secret_configured,
    updated_at: orNull(webhook.updated_at),
  }
}

export const attemptView = (attempt: Attempt): Record<string, unknown> => ({
  attempt: attempt.attempt,
  at: attempt.at,
  duration_ms: attempt.duration_ms,
  status_code: orNull(attempt.status_code),
  error: orNull(attempt.error),
  response_snippet: orNull(attempt.response_snippet),
})

export function deliveryView(delivery: Delivery): Record<string, unknown> {
  return {
    id: delivery.id,
    event_id: delivery.event_id,
    event: delivery.event,
    order_id: orNull(delivery.order_id),
    status: delivery.status,
    attempts: delivery.attempts,
    max_attempts: delivery.max_attempts,
    next_attempt_at: orNull(delivery.next_attempt_at),
    last_status_code: orNull(delivery.last_status_code),
    last_error: orNull(delivery.last_error),
    url: orNull(delivery.url),
    is_test: delivery.is_test,
    created_at: delivery.created_at,
    succeeded_at: orNull(delivery.succeeded_at),
    attempts_log: delivery.attempts_log.map(attemptView),
  }
}

/** The same for operators, who see deliveries of many merchants. */
export const adminDeliveryView = (delivery: Delivery): Record<string, unknown> => ({
  ...deliveryView(delivery),
  merchant_id: delivery.merchant_id,
})
