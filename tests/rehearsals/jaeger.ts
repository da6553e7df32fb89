import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { freePorts, goProgram, startChild, whenReady } from '@svc/servers'

const root = resolve(import.meta.dirname, '../..')
const sources = join(root, 'deploy/observability/jaeger')

/** Jaeger, of pinned sources. undefined where it cannot be made. */
export const findJaeger = (): string | undefined =>
  goProgram({
    name: 'jaeger',
    sources,
    package: 'github.com/jaegertracing/jaeger/cmd/jaeger',
    toolsFolder: join(root, '.local/tools'),
    beforeBuild: () => console.log('Go makes Jaeger, once: five minutes and more'),
  })

export type Jaeger = Awaited<ReturnType<typeof startJaeger>>

/** A trace as Jaeger answers it. */
interface JaegerTrace {
  spans: Array<{ spanID: string; references: Array<{ refType: string; spanID: string }>; processID: string }>
  processes: Record<string, { serviceName: string }>
}

/** Jaeger with its storage in memory. */
export async function startJaeger({ program, folder }: { program: string; folder: string }) {
  mkdirSync(folder, { recursive: true })
  const [otlp, http, grpc] = await freePorts(3)
  const logFile = join(folder, 'jaeger.log')
  const url = `http://127.0.0.1:${http}`
  const child = await startChild({
    name: 'jaeger',
    command: program,
    args: ['--config', join(sources, 'jaeger.yml')],
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      OTLP_ENDPOINT: `127.0.0.1:${otlp}`,
      HTTP_ENDPOINT: `127.0.0.1:${http}`,
      GRPC_ENDPOINT: `127.0.0.1:${grpc}`,
      // It would trace itself to port 4317.
      OTEL_TRACES_SAMPLER: 'always_off',
    },
    logFile,
    pidFile: join(folder, 'jaeger.pid'),
  })
  const answers = (path: string) => fetch(`${url}${path}`).catch(() => undefined)
  await whenReady(child, logFile, async () => (await answers('/api/services'))?.ok ?? false)
  return {
    /** `host:port` that takes OTLP over gRPC. */
    tracesEndpoint: `127.0.0.1:${otlp}`,
    /** What it answers of a trace: none where it does not know it. */
    async spans(traceId: string) {
      const answer = await fetch(`${url}/api/traces/${traceId}`)
      if (answer.status === 404) return []
      if (!answer.ok) throw new Error(`Jaeger answers ${answer.status}: ${await answer.text()}`)
      const { data } = (await answer.json()) as { data: JaegerTrace[] }
      return data.flatMap(({ spans, processes }) =>
        spans.map(({ spanID, references, processID }) => ({
          spanId: spanID,
          parentSpanId: references.find(({ refType }) => refType === 'CHILD_OF')?.spanID ?? '',
          service: processes[processID]?.serviceName ?? '',
        })),
      )
    },
    stop: () => child.stop(),
  }
}
