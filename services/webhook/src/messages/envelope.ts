import type { Order, OrderFact } from '@svc/contracts/order/v1/order'
import { eta, eventOrder, PING, riderSummary } from '@svc/public-bodies'

/** Largest body that a webhook carries. */
export const MAX_ENVELOPE_BYTES = 256 * 1024

/** What an envelope is made of. */
export interface EnvelopeFacts<M> {
  event: string
  eventId: string
  occurredAt: Date
  sequence: number
  merchantId: string
  message: M
}

/**
 * The JSON of one event as it is kept: everything that a webhook body has but `delivery_id`. Larger than the
 * cap, `raw_payload` and then `standardized.items` become `{"truncated":true}`.
 */
export function envelopeJson(facts: EnvelopeFacts<OrderFact>): string {
  const order = facts.message.order
  if (!order) throw new Error(`fact ${facts.eventId} carries no order`)
  const render = (unifiedJson: string) => renderEnvelope(facts, order, unifiedJson)

  const whole = render(order.unified_json)
  if (fits(whole)) return whole
  const unified = JSON.parse(order.unified_json)
  unified.raw_payload = { truncated: true }
  const withoutPayload = render(JSON.stringify(unified))
  if (fits(withoutPayload) || !unified.standardized) return withoutPayload
  unified.standardized.items = { truncated: true }
  return render(JSON.stringify(unified))
}

/** An entry of the pull log: the envelope with its cursor, where a webhook has its delivery_id. */
export const logEntry = (cursor: number, envelope: string): string => `{"cursor":"${cursor}",${envelope.slice(1)}`

/** What is sent once, of no stored delivery. */
export interface Sent {
  eventId: string
  deliveryId: string
  merchantId: string
  occurredAt: Date
}

/** The body of webhook.ping, which belongs to no order and to no stored delivery. */
export function pingBody(ping: Sent): string {
  return JSON.stringify({
    delivery_id: ping.deliveryId,
    event: PING,
    event_id: ping.eventId,
    occurred_at: ping.occurredAt.toISOString(),
    api_version: 'v1',
    merchant_id: ping.merchantId,
  })
}

// Room for the delivery id that the body has beside the envelope.
const fits = (envelope: string) => Buffer.byteLength(envelope) <= MAX_ENVELOPE_BYTES - 64

function renderEnvelope(facts: EnvelopeFacts<OrderFact>, order: Order, unifiedJson: string): string {
  const { event, eventId, occurredAt, sequence, merchantId, message } = facts
  const at = occurredAt.toISOString()
  const head = JSON.stringify({
    event,
    event_id: eventId,
    occurred_at: at,
    api_version: 'v1',
    sequence,
    merchant_id: merchantId,
    ...(event === 'order.status_updated' && { previous_status: message.previous_status, status: order.status }),
    ...(event === 'order.rider_assigned' && { previous_rider_id: message.previous_rider_id }),
    ...(order.rider && { rider: riderSummary.parse(order.rider) }),
    ...(event === 'order.eta_changed' && { eta: eta.parse(order.eta ?? {}) }),
  })
  const { created_at = at, updated_at = at } = order
  const fields = JSON.stringify(eventOrder.parse({ ...order, created_at, updated_at }))
  // unified_json goes in as it is: parsing it would cost time and could change the digits of the caller's numbers.
  return `${head.slice(0, -1)},"order":${fields.slice(0, -1)},"unified_json":${unifiedJson}}}`
}
