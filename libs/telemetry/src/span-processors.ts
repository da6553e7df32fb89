import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace'
import { discreetExporter } from './discreet-exporter.ts'
import { fileSpanExporter } from './file-span-exporter.ts'

const FILE_DELAY_MS = 200

/** Where finished spans go, by the environment. OTEL_TRACES_SAMPLER decides which are recorded. */
export function spanProcessors(env: NodeJS.ProcessEnv): SpanProcessor[] {
  const processors: SpanProcessor[] = []
  if (env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
    processors.push(new BatchSpanProcessor({ exporter: discreetExporter(new OTLPTraceExporter()) }))
  }
  if (env['TRACE_FILE']) {
    const exporter = discreetExporter(fileSpanExporter(env['TRACE_FILE']))
    processors.push(new BatchSpanProcessor({ exporter, scheduledDelayMillis: FILE_DELAY_MS }))
  }
  return processors
}
