import type { EnvelopeFacts } from './envelope.ts'

/** The JSON of an event of live money as the pull log serves it, with what it is about under that thing's own name. */
export function moneyEnvelopeJson(
  { event, eventId, occurredAt, sequence, merchantId }: EnvelopeFacts<unknown>,
  about: { topup: object } | { withdrawal: object },
): string {
  return JSON.stringify({
    event,
    event_id: eventId,
    occurred_at: occurredAt.toISOString(),
    api_version: 'v1',
    sequence,
    merchant_id: merchantId,
    is_test: false,
    ...about,
  })
}
