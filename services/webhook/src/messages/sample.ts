import { type EVENTS, WEBHOOK_SAMPLES } from '@svc/public-bodies'
import type { Sent } from './envelope.ts'

export type SampledEvent = (typeof EVENTS)[number]

const OF_MERCHANT = new Set(['merchant_id', 'owner_id'])

/**
 * The body of a sample: as the event's would be, about things that do not exist, and said to be a sample. It also says
 * `is_test`, of money as well: who books what is live must not book a sample that reaches the live endpoint.
 */
export function sampleBody(event: SampledEvent, { eventId, deliveryId, merchantId, occurredAt }: Sent): string {
  const told = {
    ...WEBHOOK_SAMPLES[event],
    delivery_id: deliveryId,
    event_id: eventId,
    occurred_at: occurredAt.toISOString(),
    sample: true,
  }
  return JSON.stringify(told, (name, value: unknown) => {
    if (name === 'is_test') return true
    return OF_MERCHANT.has(name) ? merchantId : value
  })
}
