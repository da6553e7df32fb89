import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  NoopSpanProcessor,
  type Sampler,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'
import { discreetExporter } from './discreet-exporter.ts'
import { fileSpanExporter } from './file-span-exporter.ts'

const FILE_DELAY_MS = 200

interface Destination {
  /** False where no span goes anywhere. */
  isRecorded: boolean
  spanProcessors: SpanProcessor[]
  sampler?: Sampler
}

/**
 * Where finished spans go, by the environment. With a destination OTEL_TRACES_SAMPLER decides which are recorded; without
 * one none is, which spares every request their cost. Ids are made, logged and passed on in either case.
 */
export function spanDestination(env: NodeJS.ProcessEnv): Destination {
  const processors: SpanProcessor[] = []
  if (env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
    processors.push(new BatchSpanProcessor({ exporter: discreetExporter(new OTLPTraceExporter()) }))
  }
  if (env['TRACE_FILE']) {
    const exporter = discreetExporter(fileSpanExporter(env['TRACE_FILE']))
    processors.push(new BatchSpanProcessor({ exporter, scheduledDelayMillis: FILE_DELAY_MS }))
  }
  return processors.length > 0
    ? { isRecorded: true, spanProcessors: processors }
    : { isRecorded: false, spanProcessors: [new NoopSpanProcessor()], sampler: new AlwaysOffSampler() }
}
