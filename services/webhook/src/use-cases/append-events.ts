import type { OrderFact } from '@svc/contracts/order/v1/order'
import type { ReceivedFact, Tx } from '@svc/outbox'
import type { Context } from '../context.ts'
import { listedEvents } from '../db/endpoints.ts'
import { appendToLog, type LoggedEvent } from '../db/event-log.ts'
import { holdFacts, lockStreams, type OrderStreamFact, type StreamState } from '../db/order-streams.ts'
import { isEventOf, isOptIn } from '../domain/event-names.ts'
import { advanceStream } from '../domain/order-stream.ts'
import { envelopeJson } from '../messages/envelope.ts'

/**
 * Puts order facts into the pull log and, for merchants that want them, into the delivery queue, each order's in the order
 * of their versions: a fact behind a gap is kept until the missing one has arrived. What the merchant must list to
 * receive becomes an event, with a sequence number, only while it is listed.
 */
export async function appendEvents(ctx: Context, tx: Tx, facts: ReadonlyArray<ReceivedFact<OrderFact>>): Promise<void> {
  const arrived = Map.groupBy(facts.map(streamFact), ({ orderId }) => orderId)
  const streams = await lockStreams(tx, ordersOf(facts))
  const candidates = streams.map((stream) => [...stream.held, ...(arrived.get(stream.orderId) ?? [])])
  const isAnyOptIn = candidates.some((ofOrder) => ofOrder.some(({ type }) => isOptIn(type)))
  const listed = isAnyOptIn ? await listedEvents(tx, merchantsOf(streams)) : new Map<string, Set<string>>()
  const advanced = streams.map((stream, index) => {
    const isEvent = (type: string) => isEventOf(type, listed.get(stream.merchantId) ?? NONE)
    return { stream, ...advanceStream(stream, candidates[index] ?? [], isEvent) }
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

const NONE: ReadonlySet<string> = new Set()

const merchantsOf = (streams: readonly StreamState[]): string[] => [
  ...new Set(streams.map(({ merchantId }) => merchantId)),
]

function streamFact(fact: ReceivedFact<OrderFact>): OrderStreamFact {
  return {
    orderId: fact.aggregateId,
    version: fact.aggregateVersion,
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
