import type { RpcReplies } from '../rpc-replies.ts'
import { order, unified } from './order.ts'
import { at, id, page } from './pieces.ts'

const attempt = { attempt: 1, at, duration_ms: 12, status_code: 200, error: 'timeout', response_snippet: 'ok' }

const delivery = {
  id,
  event_id: id,
  event: 'order.created',
  order_id: id,
  status: 'pending',
  attempts: 1,
  max_attempts: 5,
  next_attempt_at: at,
  last_status_code: 503,
  last_error: 'http_503',
  url: 'https://example.com/hooks',
  succeeded_at: at,
  is_test: true,
  created_at: at,
  fault: 'drop',
  attempts_log: [attempt],
  merchant_id: id,
}

const faults = [{ kind: 'drop', events: ['order.created'], count: 2, delay_ms: 5_000, remaining: 1 }]

const webhook = {
  url: 'https://example.com/hooks',
  enabled: true,
  secret_configured: true,
  events: ['order.created'],
  signature_version: 'v1',
  test_url: 'https://example.com/test-hooks',
  test_secret_configured: false,
  disabled_reason: 'no_success_for_14_days',
  updated_at: at,
}

const envelope = {
  event: 'order.created',
  event_id: id,
  occurred_at: at,
  merchant_id: id,
  api_version: 'v1',
  sequence: 1,
  order: { ...order, unified_json: unified, pickup: undefined, version: undefined, rider: undefined, eta: undefined },
}

export const webhookReplies = {
  getOutboundWebhook: { webhook },
  getOutboundWebhooks: { webhooks: [webhook] },
  updateOutboundWebhook: { webhook, generated_secret: 'generated-secret-123' },
  testOutboundWebhook: { attempt, event_id: id },
  rotateOutboundWebhookSecret: { secret: 'rotated-secret-123456', previous_secret_expires_at: at },
  listDeliveries: { items: [delivery], ...page },
  retryDelivery: { delivery },
  putWebhookFaults: { faults },
  getWebhookFaults: { faults },
  listEvents: { envelopes_json: [JSON.stringify(envelope)], next_cursor: 'c' },
  replayEvents: { queued: 3 },
} satisfies Partial<RpcReplies>
