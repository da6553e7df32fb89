import { isSpanContextValid, trace } from '@opentelemetry/api'
import { metrics } from '@svc/telemetry'
import { type DestinationStream, pino, stdTimeFunctions } from 'pino'
import { describeError } from './describe-error.ts'
import { currentLogFields } from './log-fields.ts'
import { redactedPaths } from './redaction.ts'

export type Logger = pino.Logger

/** Who speaks, where that is told. */
const PROCESS = {
  service: process.env['OTEL_SERVICE_NAME'],
  instance: process.env['INSTANCE'],
  version: process.env['BUILD_VERSION'],
}

const alerts = metrics.counter('alerts', 'Lines of the log that name an alert: what somebody should look at')

/** A line with a field `alert` is counted under it, so that rules can watch it. */
function countAlert(this: Logger, args: Parameters<pino.LogFn>, method: pino.LogFn): void {
  const [fields] = args as unknown[]
  const { alert } = (typeof fields === 'object' && fields !== null ? fields : {}) as { alert?: unknown }
  if (typeof alert === 'string') alerts.add(1, { alert })
  method.apply(this, args)
}

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
export const createLogger = (name: string, destination?: DestinationStream): Logger =>
  made({ ...optionsOf(name), redact: { paths: redactedPaths, censor: '[redacted]' } }, destination)

/**
 * The same for lines whose fields are fixed by a type and hold no secret: looking for one in every line is fifty times the
 * cost of writing it. Lines of one turn of the event loop are written together.
 */
export const createRecordLogger = (name: string, destination: DestinationStream = stdoutTogether()): Logger =>
  made(optionsOf(name), destination)

const STDOUT = 1
let stdout: DestinationStream | undefined
/** One for the process, so that all its lines keep their order. */
const stdoutTogether = (): DestinationStream => (stdout ??= linesTogether(STDOUT))

/** More than this is written before the turn ends. */
const MOST_CHARACTERS = 8_192

/**
 * Writes lines at the end of the turn in which they came, or when the process exits; one that is killed loses those of a turn.
 * Each write is a call of the system, which takes longer than all else that a line costs. Nothing waits for a disk:
 * pino's own buffer does, whose flush is an fsync, and a file's takes longer than the requests of the turn.
 */
export function linesTogether(dest: number | string): DestinationStream {
  const out = pino.destination({ dest, sync: true })
  let lines = ''
  const write = (): void => {
    if (lines !== '') out.write(lines)
    lines = ''
  }
  process.once('exit', write)
  return {
    write(line) {
      if (lines === '') setImmediate(write)
      lines += line
      if (lines.length > MOST_CHARACTERS) write()
    },
  }
}

const optionsOf = (name: string): pino.LoggerOptions => ({
  name,
  level: process.env['LOG_LEVEL'] || 'info',
  base: PROCESS,
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (level) => ({ level }) },
  serializers: { err: (error: unknown) => describeError(error) },
  mixin: ambientFields,
  hooks: { logMethod: countAlert },
})

const made = (options: pino.LoggerOptions, destination?: DestinationStream): Logger =>
  destination ? pino(options, destination) : pino(options)
