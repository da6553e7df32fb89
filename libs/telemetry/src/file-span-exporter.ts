import { appendFile } from 'node:fs/promises'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { ExportResultCode, hrTimeToMilliseconds } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'

const line = (span: ReadableSpan) =>
  JSON.stringify({
    trace_id: span.spanContext().traceId,
    span_id: span.spanContext().spanId,
    parent_span_id: span.parentSpanContext?.spanId,
    start_ms: hrTimeToMilliseconds(span.startTime),
    duration_ms: hrTimeToMilliseconds(span.duration),
    name: span.name,
    scope: span.instrumentationScope.name,
    kind: SpanKind[span.kind].toLowerCase(),
    is_error: span.status.code === SpanStatusCode.ERROR,
    service: span.resource.attributes['service.name'],
    attributes: span.attributes,
  })

/** Appends each finished span as one JSON line; several processes may share the file. */
export function fileSpanExporter(path: string): SpanExporter {
  const underWay = new Set<Promise<void>>()
  return {
    export(spans, done) {
      const writing = appendFile(path, spans.map((span) => `${line(span)}\n`).join('')).then(
        () => done({ code: ExportResultCode.SUCCESS }),
        (error: Error) => done({ code: ExportResultCode.FAILED, error }),
      )
      underWay.add(writing)
      void writing.finally(() => underWay.delete(writing))
    },
    // The processor waits for what it hands over now, not for what it has handed over before.
    async shutdown() {
      await Promise.all(underWay)
    },
  }
}
