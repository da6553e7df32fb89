import type { Delivery } from '@svc/contracts/webhook/v1/delivery_service'
import type { Config } from '../config.ts'
import type { AttemptRow, DeliveryRow } from '../db/deliveries.ts'

/** A delivery with its latest attempts. */
export function deliveryMessage({ outboundWebhookMaxAttempts }: Config, row: DeliveryRow): Delivery {
  return {
    id: row.id,
    event_id: row.event_id,
    event: row.event,
    order_id: row.order_id ?? undefined,
    status: row.status,
    attempts: row.attempts,
    max_attempts: outboundWebhookMaxAttempts,
    next_attempt_at: row.next_attempt_at?.toISOString(),
    last_status_code: row.last_status_code ?? undefined,
    last_error: row.last_error ?? undefined,
    url: row.url ?? undefined,
    is_test: row.is_test,
    created_at: row.created_at.toISOString(),
    succeeded_at: row.succeeded_at?.toISOString(),
    fault: row.fault ?? undefined,
    attempts_log: row.attempts_log.map(attemptMessage),
    merchant_id: row.merchant_id,
  }
}

const attemptMessage = (row: AttemptRow) => ({
  attempt: row.attempt,
  at: row.at.toISOString(),
  duration_ms: row.duration_ms,
  status_code: row.status_code ?? undefined,
  error: row.error ?? undefined,
  response_snippet: row.response_snippet ?? undefined,
})
