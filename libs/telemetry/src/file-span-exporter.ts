import { appendFile } from 'node:fs'
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
  return {
    export(spans, done) {
      appendFile(path, spans.map((span) => `${line(span)}\n`).join(''), (error) =>
        done(error ? { code: ExportResultCode.FAILED, error } : { code: ExportResultCode.SUCCESS }),
      )
    },
    async shutdown() {},
  }
}
