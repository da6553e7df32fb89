import { isSpanContextValid, trace } from '@opentelemetry/api'
import { type DestinationStream, pino, stdTimeFunctions } from 'pino'
import { describeError } from './describe-error.ts'
import { currentLogFields } from './log-fields.ts'
import { redactedPaths } from './redaction.ts'

export type Logger = pino.Logger

function ambientFields(): object {
  const fields = currentLogFields()
  const span = trace.getActiveSpan()?.spanContext()
  if (!span || !isSpanContextValid(span)) return fields ?? {}
  return { ...fields, trace_id: span.traceId, span_id: span.spanId }
}

/**
 * A logger of JSON lines on stdout. Each line has the active span's ids and the fields of withLogFields;
 * secrets are redacted by field name; `err` is described without what drivers attach to it.
 */
export function createLogger(name: string, destination?: DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    name,
    level: process.env['LOG_LEVEL'] || 'info',
    base: undefined,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    serializers: { err: (error: unknown) => describeError(error) },
    mixin: ambientFields,
    redact: { paths: redactedPaths, censor: '[redacted]' },
  }
  return destination ? pino(options, destination) : pino(options)
}
