import { isSpanContextValid, TraceFlags, trace } from '@opentelemetry/api'

/** Whether the spans of this process go anywhere; without a destination none is recorded. */
const recordsSpans = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['TRACE_FILE'])

/** Whether a trace is recorded as a whole or not at all, by a decision at its beginning: so unless another sampler is named. */
const decidesPerTrace = (env: NodeJS.ProcessEnv): boolean =>
  !env['OTEL_TRACES_SAMPLER'] || env['OTEL_TRACES_SAMPLER'].startsWith('parentbased_')

const isRecorded = recordsSpans(process.env)
const isPerTrace = decidesPerTrace(process.env)

/**
 * Whether a span that begins here may be recorded. Where it cannot be, because the trace that it would be of is not, work
 * is spared the cost of making one; the trace goes on under the active span.
 */
export function mayRecordHere(): boolean {
  if (!isRecorded || !isPerTrace) return isRecorded
  const parent = trace.getActiveSpan()?.spanContext()
  return parent === undefined || !isSpanContextValid(parent) || (parent.traceFlags & TraceFlags.SAMPLED) !== 0
}
