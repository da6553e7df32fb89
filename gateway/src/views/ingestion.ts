import type { ChannelSettings } from '@svc/contracts/ingestion/v1/channel_service'
import type { DeadLetter, ReceiveHookResponse } from '@svc/contracts/ingestion/v1/hook_service'
import { orNull } from './or-null.ts'

export const channelView = ({ channel, secret_configured, updated_at }: ChannelSettings): Record<string, unknown> => ({
  channel,
  secret_configured,
  updated_at: orNull(updated_at),
})

/** The bytes are stored under the id of the hook itself, and no hook is one of an order yet. */
export const deadLetterView = (letter: DeadLetter): Record<string, unknown> => ({
  id: letter.id,
  channel: letter.channel,
  merchant_id: orNull(letter.merchant_id),
  status: letter.status,
  attempts: letter.attempts,
  error: letter.error,
  event: letter.event,
  raw_ref: letter.id,
  order_id: null,
  created_at: letter.created_at,
  resolved_at: orNull(letter.resolved_at),
})

export const receivedHookView = ({ id, status, reason }: ReceiveHookResponse): Record<string, unknown> => ({
  received: true,
  status,
  id: orNull(id),
  reason,
})
