/** Whether the spans of this process go anywhere; without a destination none is recorded. */
export const recordsSpans = (env: NodeJS.ProcessEnv = process.env): boolean =>
  Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['TRACE_FILE'])
