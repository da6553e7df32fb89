import type { OrderFact } from '@svc/contracts/order/v1/order'
import type { ReceivedFact, Tx } from '@svc/outbox'
import type { Context } from '../context.ts'
import { appendToLog, type LoggedEvent } from '../db/event-log.ts'
import { holdFacts, lockStreams, type OrderStreamFact, type StreamState } from '../db/order-streams.ts'
import { isPublicEvent } from '../domain/event-names.ts'
import { advanceStream } from '../domain/order-stream.ts'
import { envelopeJson } from '../messages/envelope.ts'

/**
 * Puts order facts into the pull log and, for merchants that want them, into the delivery queue, each order's in the order
 * of their versions: a fact behind a gap is kept until the missing one has arrived.
 */
export async function appendEvents(ctx: Context, tx: Tx, facts: ReadonlyArray<ReceivedFact<OrderFact>>): Promise<void> {
  const arrived = Map.groupBy(facts.map(streamFact), ({ orderId }) => orderId)
  const streams = await lockStreams(tx, ordersOf(facts))
  const advanced = streams.map((stream) => {
    return { stream, ...advanceStream(stream, [...stream.held, ...(arrived.get(stream.orderId) ?? [])]) }
  })
  await holdFacts(
    tx,
    advanced.flatMap(({ held }) => held),
  )
  await appendToLog(
    tx,
    advanced.map(({ stream, position }) => ({ orderId: stream.orderId, ...position })),
    advanced.flatMap(({ stream, released }) =>
      released.flatMap(({ fact, sequence }) => (sequence === null ? [] : [loggedEvent(ctx, stream, fact, sequence)])),
    ),
  )
}

function streamFact(fact: ReceivedFact<OrderFact>): OrderStreamFact {
  return {
    orderId: fact.aggregateId,
    version: fact.aggregateVersion,
    isPublic: isPublicEvent(fact.type),
    eventId: fact.id,
    type: fact.type,
    occurredAt: fact.time,
    traceparent: fact.traceparent ?? null,
    message: fact.message,
  }
}

function ordersOf(facts: ReadonlyArray<ReceivedFact<OrderFact>>): Map<string, string> {
  return new Map(
    facts.map(({ id, aggregateId, merchantId }) => {
      if (merchantId === null) throw new Error(`fact ${id} of order ${aggregateId} names no merchant`)
      return [aggregateId, merchantId]
    }),
  )
}

function loggedEvent(ctx: Context, stream: StreamState, fact: OrderStreamFact, sequence: number): LoggedEvent {
  const { eventId, occurredAt, traceparent, type: event, message } = fact
  return {
    merchantId: stream.merchantId,
    isTest: message.order?.is_test ?? false,
    orderId: stream.orderId,
    sequence,
    eventId,
    event,
    envelope: envelopeJson({ event, eventId, occurredAt, sequence, fact: message }),
    traceparent,
    occurredAt,
    deliver: ctx.config.outboundWebhooksEnabled && !message.muted,
  }
}
