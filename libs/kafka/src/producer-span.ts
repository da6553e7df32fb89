import { propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { mayRecordBelow } from '@svc/telemetry'
import type { FactMessage } from './fact-message.ts'

const tracer = trace.getTracer('@svc/kafka')

/**
 * Sends facts of many traces, each in a producer span of its own trace; the headers that `send` gets lead the consumers on
 * from there. A fact whose span is not recorded keeps the headers that it has.
 */
export async function inProducerSpans(
  facts: readonly FactMessage[],
  send: (facts: readonly FactMessage[]) => Promise<void>,
): Promise<void> {
  const spans: Span[] = []
  try {
    await send(facts.map((fact) => traced(fact, spans)))
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown'
    for (const span of spans) span.setStatus({ code: SpanStatusCode.ERROR, message })
    throw error
  } finally {
    for (const span of spans) span.end()
  }
}

function traced(fact: FactMessage, spans: Span[]): FactMessage {
  if (!mayRecordBelow(fact.headers['traceparent'])) return fact
  const parent = propagation.extract(ROOT_CONTEXT, fact.headers)
  const attributes = {
    'messaging.system': 'kafka',
    'messaging.operation.name': 'send',
    'messaging.destination.name': fact.topic,
    'cloudevents.event_type': fact.headers['ce_type'],
  }
  const span = tracer.startSpan(`send ${fact.topic}`, { kind: SpanKind.PRODUCER, attributes }, parent)
  if (!span.isRecording()) return fact
  spans.push(span)
  const headers = { ...fact.headers }
  propagation.inject(trace.setSpan(parent, span), headers)
  return { ...fact, headers }
}
