import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { freePort, goProgram, startChild, whenReady } from '@svc/servers'

const root = resolve(import.meta.dirname, '../..')
const sources = join(root, 'deploy/observability/collector')
const configuration = join(root, 'deploy/observability/collector.yml')

/** OpenTelemetry's collector, of pinned sources. undefined where it cannot be made. */
export const findCollector = (): string | undefined =>
  goProgram({
    name: 'collector',
    sources,
    toolsFolder: join(root, '.local/tools'),
    beforeBuild: () => console.log('Go makes the collector, once: four minutes and more'),
  })

/** One span of the file that the collector writes. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  service: string
  scope: string
  isError: boolean
  startMs: number
  endMs: number
}

interface CollectorOptions {
  program: string
  folder: string
  /** More variables that the configuration reads. */
  environment: Record<string, string>
  /** Where what is kept is sent as well, `host:port` in the clear. */
  tracesEndpoint?: string
}

/** The collector with the configuration of the repository, but that what it keeps goes to a file, too. */
export async function startCollector({ program, folder, environment, tracesEndpoint }: CollectorOptions) {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const file = join(folder, 'traces.jsonl')
  const logFile = join(folder, 'collector.log')
  const elsewhere = {
    'receivers::otlp::protocols::http::endpoint': `127.0.0.1:${port}`,
    'exporters::file::path': file,
    'exporters::file::flush_interval': '200ms',
    'service::pipelines::traces::exporters': tracesEndpoint ? '[file, otlp]' : '[file]',
    'service::telemetry::metrics::level': 'none',
  }
  const child = await startChild({
    name: 'collector',
    command: program,
    args: [
      `--config=${configuration}`,
      ...Object.entries(elsewhere).map(([name, value]) => `--config=yaml:${name}: ${value}`),
    ],
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      ...(tracesEndpoint && { TRACES_ENDPOINT: tracesEndpoint, TRACES_IN_THE_CLEAR: 'true' }),
      ...environment,
    },
    logFile,
    pidFile: join(folder, 'collector.pid'),
  })
  await whenReady(child, logFile, () => accepts(port))
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans: (): CollectedSpan[] =>
      existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1).flatMap(spansOf) : [],
    stop: () => child.stop(),
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })

interface Attribute {
  key: string
  value: { stringValue?: string }
}
interface Line {
  resourceSpans: Array<{
    resource: { attributes: Attribute[] }
    scopeSpans: Array<{
      scope: { name: string }
      spans: Array<{
        traceId: string
        spanId: string
        parentSpanId?: string
        name: string
        startTimeUnixNano: string
        endTimeUnixNano: string
        status?: { code?: number }
      }>
    }>
  }>
}

const STATUS_ERROR = 2
const inMs = (nanoseconds: string) => Number(BigInt(nanoseconds) / 1_000n) / 1_000

function spansOf(line: string): CollectedSpan[] {
  return (JSON.parse(line) as Line).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
    return scopeSpans.flatMap(({ scope, spans }) =>
      spans.map(({ traceId, spanId, parentSpanId = '', name, startTimeUnixNano, endTimeUnixNano, status }) => ({
        traceId,
        spanId,
        parentSpanId,
        name,
        service,
        scope: scope.name.replace('@opentelemetry/instrumentation-', ''),
        isError: status?.code === STATUS_ERROR,
        startMs: inMs(startTimeUnixNano),
        endMs: inMs(endTimeUnixNano),
      })),
    )
  })
}
