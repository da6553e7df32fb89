import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { mayRecordBelow } from '@svc/telemetry'
import type { FactMessage } from './fact-message.ts'

const tracer = trace.getTracer('@svc/kafka')

export interface ConsumerSpan {
  /** Work that runs here continues the trace in which the fact was made. */
  readonly context: Context
  /** The same for work that happens later, to be kept beside it. */
  readonly traceparent: string | undefined
  end(error?: unknown): void
}

/** The span of handling one received fact, below the span that sent it. Where none is recorded, work goes on below that one. */
export function consumerSpan({ topic, headers, partition, offset }: FactMessage): ConsumerSpan {
  const parent = propagation.extract(ROOT_CONTEXT, headers)
  const traceparent = headers['traceparent']
  if (!mayRecordBelow(traceparent)) return { context: parent, traceparent, end: () => {} }
  const attributes = {
    'messaging.system': 'kafka',
    'messaging.operation.name': 'process',
    'messaging.destination.name': topic,
    'messaging.destination.partition.id': String(partition),
    'messaging.kafka.offset': offset,
    'cloudevents.event_type': headers['ce_type'],
  }
  const span = tracer.startSpan(`process ${topic}`, { kind: SpanKind.CONSUMER, attributes }, parent)
  const own = trace.setSpan(parent, span)
  const carrier: Record<string, string> = {}
  propagation.inject(own, carrier)
  return {
    context: own,
    traceparent: carrier['traceparent'] ?? traceparent,
    end(error) {
      if (error !== undefined) {
        const message = error instanceof Error ? error.message : 'unknown'
        span.setStatus({ code: SpanStatusCode.ERROR, message })
      }
      span.end()
    },
  }
}

/** Runs `work` in the span of its fact. */
export async function inConsumerSpan(fact: FactMessage, work: () => Promise<void>): Promise<void> {
  const span = consumerSpan(fact)
  try {
    await context.with(span.context, work)
    span.end()
  } catch (error) {
    span.end(error)
    throw error
  }
}
