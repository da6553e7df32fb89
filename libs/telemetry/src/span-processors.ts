import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, NoopSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace'
import { fileSpanExporter } from './file-span-exporter.ts'

const FILE_DELAY_MS = 200

/** Where finished spans go, by the environment. Without a destination spans still exist, for their ids in log lines. */
export function spanProcessors(env: NodeJS.ProcessEnv): SpanProcessor[] {
  const processors: SpanProcessor[] = []
  if (env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
    processors.push(new BatchSpanProcessor({ exporter: new OTLPTraceExporter() }))
  }
  if (env['TRACE_FILE']) {
    const exporter = fileSpanExporter(env['TRACE_FILE'])
    processors.push(new BatchSpanProcessor({ exporter, scheduledDelayMillis: FILE_DELAY_MS }))
  }
  return processors.length > 0 ? processors : [new NoopSpanProcessor()]
}
