import type { RpcReplies } from '../rpc-replies.ts'
import { placedOrder, unified } from './order.ts'
import { at, id, page } from './pieces.ts'

const attempt = { attempt: 1, at, duration_ms: 12, status_code: 204 }
const failed = { ...attempt, status_code: 503, error: 'http_503', response_snippet: 'down for repair' }

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
  last_error: failed.error,
  url: 'https://example.com/hooks',
  is_test: true,
  created_at: at,
  fault: 'drop',
  attempts_log: [failed],
  merchant_id: id,
}

/** The same, taken at the second attempt. */
const taken = {
  ...delivery,
  status: 'succeeded',
  attempts: 2,
  next_attempt_at: undefined,
  last_status_code: 204,
  last_error: undefined,
  succeeded_at: '2026-11-21T10:16:00.000Z',
  attempts_log: [failed, { ...attempt, attempt: 2, at: '2026-11-21T10:16:00.000Z' }],
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
  order: { ...placedOrder, unified_json: unified, pickup: undefined, version: undefined },
}

export const webhookReplies = {
  getOutboundWebhook: { webhook },
  getOutboundWebhooks: { webhooks: [webhook] },
  updateOutboundWebhook: { webhook, generated_secret: 'generated-secret-123' },
  testOutboundWebhook: { attempt, event_id: id },
  rotateOutboundWebhookSecret: { secret: 'rotated-secret-123456', previous_secret_expires_at: at },
  listDeliveries: { items: [delivery, taken], ...page, total: 2 },
  retryDelivery: { delivery },
  putWebhookFaults: { faults },
  getWebhookFaults: { faults },
  listEvents: { envelopes_json: [JSON.stringify({ cursor: '41', ...envelope })], next_cursor: '41' },
  replayEvents: { queued: 3 },
} satisfies Partial<RpcReplies>
