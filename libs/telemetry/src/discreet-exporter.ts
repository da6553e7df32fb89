import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { withoutLiterals } from './without-literals.ts'

/**
 * What a span may tell. Addresses and texts are not among it: paths hold tokens of customers, queries those of merchants'
 * receivers, and messages of errors whatever was refused.
 */
const TOLD = new Set([
  'http.request.method',
  'http.response.status_code',
  // The template: /v1/tracking/:token.
  'http.route',
  'server.address',
  'server.port',
  'url.scheme',
  'network.protocol.version',
  'error.type',
  'exception.type',
  'express.type',
  'db.system.name',
  'db.namespace',
  'db.operation.name',
  'rpc.system',
  'rpc.service',
  'rpc.method',
  'peer.service',
  'messaging.system',
  'messaging.operation.name',
  'messaging.destination.name',
  'messaging.destination.partition.id',
  'messaging.kafka.offset',
  'cloudevents.event_type',
])

const STATEMENT = 'db.query.text'

function told(attributes: Attributes): Attributes {
  const kept: Attributes = Object.fromEntries(Object.entries(attributes).filter(([name]) => TOLD.has(name)))
  const statement = attributes[STATEMENT]
  const isSql = attributes['db.system.name'] === 'postgresql'
  return isSql && typeof statement === 'string' ? { ...kept, [STATEMENT]: withoutLiterals(statement) } : kept
}

const discreet = (span: ReadableSpan): ReadableSpan => ({
  name: span.name,
  kind: span.kind,
  spanContext: () => span.spanContext(),
  ...(span.parentSpanContext && { parentSpanContext: span.parentSpanContext }),
  startTime: span.startTime,
  endTime: span.endTime,
  status: { code: span.status.code },
  attributes: told(span.attributes),
  links: span.links.map((link) => ({ ...link, attributes: told(link.attributes ?? {}) })),
  events: span.events.map((event) => ({ ...event, attributes: told(event.attributes ?? {}) })),
  duration: span.duration,
  ended: span.ended,
  resource: span.resource,
  instrumentationScope: span.instrumentationScope,
  droppedAttributesCount: span.droppedAttributesCount,
  droppedEventsCount: span.droppedEventsCount,
  droppedLinksCount: span.droppedLinksCount,
})

/** Exports spans without anything that could hold a secret or a person's data; what is new to it stays out. */
export const discreetExporter = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(discreet), done),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
})
