import type { FactName, PayloadOf } from '@svc/contracts/facts'
import type { ReceivedFact } from '@svc/facts'
import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { type ListedEvents, listedEvents } from '../db/endpoints.ts'
import { appendToLog, type LoggedEvent } from '../db/event-log.ts'
import { holdFacts, type LoggableFact, lockStreams, type StreamState } from '../db/fact-streams.ts'
import { isEventOf, isOptIn } from '../domain/event-names.ts'
import { advanceStream } from '../domain/fact-stream.ts'
import type { EnvelopeFacts } from '../messages/envelope.ts'

/** How the facts of one kind become events. */
export interface EventKind<N extends FactName> {
  /** Whether they are about orders, by which events and deliveries can be filtered. */
  isOfOrder: boolean
  isTest(message: PayloadOf<N>): boolean
  /** True for a fact that only counts in the log. */
  isMuted(message: PayloadOf<N>): boolean
  /** JSON text of the webhook body without delivery_id. */
  envelope(facts: EnvelopeFacts<PayloadOf<N>>): string
}

/**
 * Puts facts into the pull log and, for merchants that want them, into the delivery queue, each subject's in the order of
 * their versions: a fact behind a gap is kept until the missing one has arrived. What the merchant must list to receive
 * becomes an event, with a sequence number, only while it is listed.
 */
export async function appendEvents<N extends FactName>(
  ctx: Context,
  tx: Tx,
  kind: EventKind<N>,
  facts: ReadonlyArray<ReceivedFact<N>>,
): Promise<void> {
  const arrived = Map.groupBy(facts, ({ aggregateId }) => aggregateId)
  const streams = await lockStreams<N>(tx, subjectsOf(facts))
  const candidates = streams.map((stream) => [...stream.held, ...(arrived.get(stream.subjectId) ?? [])])
  const isAnyOptIn = candidates.some((ofSubject) => ofSubject.some(({ type }) => isOptIn(type)))
  const listed = isAnyOptIn ? await listedEvents(tx, merchantsOf(streams)) : new Map<string, ListedEvents>()
  const advanced = streams.map((stream, index) => {
    const ofSubject = candidates[index] ?? []
    // A subject is of one environment for good.
    const isTest = ofSubject.some(({ message }) => kind.isTest(message))
    const wanted = listed.get(stream.merchantId)?.[isTest ? 'sandbox' : 'live'] ?? NONE
    return { stream, ...advanceStream(stream, ofSubject, (type) => isEventOf(type, wanted)) }
  })
  await holdFacts(
    tx,
    advanced.flatMap(({ held }) => held),
  )
  await appendToLog(
    tx,
    advanced.map(({ stream, position }) => ({ subjectId: stream.subjectId, ...position })),
    advanced.flatMap(({ stream, released }) =>
      released.flatMap(({ fact, sequence }) =>
        sequence === null ? [] : [loggedEvent(ctx, kind, stream, fact, sequence)],
      ),
    ),
  )
}

const NONE: ReadonlySet<string> = new Set()

const merchantsOf = (streams: ReadonlyArray<{ merchantId: string }>): string[] => [
  ...new Set(streams.map(({ merchantId }) => merchantId)),
]

function subjectsOf(facts: ReadonlyArray<ReceivedFact<FactName>>): Map<string, string> {
  return new Map(
    facts.map(({ id, aggregateId, merchantId }) => {
      if (merchantId === null) throw new Error(`fact ${id} of ${aggregateId} names no merchant`)
      return [aggregateId, merchantId]
    }),
  )
}

function loggedEvent<N extends FactName>(
  ctx: Context,
  kind: EventKind<N>,
  { merchantId, subjectId }: StreamState<N>,
  fact: LoggableFact<N>,
  sequence: number,
): LoggedEvent {
  const { id: eventId, time: occurredAt, traceparent = null, type: event, message } = fact
  return {
    merchantId,
    isTest: kind.isTest(message),
    subjectId,
    isOfOrder: kind.isOfOrder,
    sequence,
    eventId,
    event,
    envelope: kind.envelope({ event, eventId, occurredAt, sequence, merchantId, message }),
    traceparent,
    occurredAt,
    deliver: ctx.config.outboundWebhooksEnabled && !kind.isMuted(message),
  }
}
