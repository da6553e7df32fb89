import type { DeadLetter as DeadLetterMessage } from '@svc/contracts/ingestion/v1/hook_service'
import type { DeadLetter } from '../db/dead-letters.ts'

/** row → message */
export function deadLetterMessage(letter: DeadLetter): DeadLetterMessage {
  return {
    id: letter.id,
    channel: letter.channel,
    merchant_id: letter.merchantId ?? undefined,
    status: letter.status,
    attempts: letter.attempts,
    error: letter.reason ?? '',
    event: letter.event,
    created_at: letter.deadAt.toISOString(),
    resolved_at: letter.resolvedAt?.toISOString(),
    order_id: letter.orderId ?? undefined,
  }
}
