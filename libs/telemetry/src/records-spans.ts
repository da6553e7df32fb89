import { isSpanContextValid, TraceFlags, trace } from '@opentelemetry/api'

/** Whether the spans of this process go anywhere; without a destination none is recorded. */
export const recordsSpans = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['TRACE_FILE'])

/** Whether a trace is recorded as a whole or not at all, by a decision at its beginning: so unless another sampler is named. */
const decidesPerTrace = (env: NodeJS.ProcessEnv): boolean =>
  !env['OTEL_TRACES_SAMPLER'] || env['OTEL_TRACES_SAMPLER'].startsWith('parentbased_')

/** Of `00-<32 digits>-<16 digits>-<flags>`. */
const FLAGS_AT = 53

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

/** The same of a span below one that another process has made, by its W3C traceparent. */
export function mayRecordBelow(traceparent: string | undefined): boolean {
  if (!isRecorded || !isPerTrace || traceparent === undefined) return isRecorded
  const flags = Number.parseInt(traceparent.slice(FLAGS_AT), 16)
  // What cannot be read is no parent.
  return Number.isNaN(flags) || (flags & TraceFlags.SAMPLED) !== 0
}
