import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

interface Span {
  trace_id: string
  span_id: string
  parent_span_id?: string
  name: string
  scope: string
  kind: string
  attributes: Record<string, unknown>
}

const fixture = (name: string) => new URL(`./fixtures/${name}`, import.meta.url).pathname
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'register-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** What a fixture prints that runs with tracing; `before` is loaded before that. */
async function runOf(name: string, env: NodeJS.ProcessEnv, before: string[] = []): Promise<string> {
  const imports = [...before.map(fixture), '@svc/telemetry/register'].flatMap((one) => ['--import', one])
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=source', ...imports, fixture(name)], {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, NODE_OPTIONS: '', OTEL_SERVICE_NAME: 'fixture', ...env },
  })
  return stdout
}

async function spansOfRun(env: NodeJS.ProcessEnv): Promise<Span[]> {
  const traceFile = join(folder, `${randomBytes(4).toString('hex')}.jsonl`)
  await runOf('all-clients.ts', { TRACE_FILE: traceFile, ...env })
  const text = await readFile(traceFile, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Span]))
}

const isOf = (library: string, kind: string) => (span: Span) =>
  span.scope === `@opentelemetry/instrumentation-${library}` && span.kind === kind

test('every client is patched, and probes and polls make no spans', async () => {
  const spans = await spansOfRun({})

  const served = spans.filter(isOf('http', 'server'))
  expect(served).toHaveLength(2)
  // A path may be a secret; without a route nothing is told of it.
  expect(served.map(({ attributes }) => attributes['url.path'])).toEqual([undefined, undefined])
  const ofWork = spans.filter(({ trace_id }) => trace_id === served[0]?.trace_id)
  expect(ofWork.filter(isOf('http', 'server'))).toHaveLength(2)
  expect(ofWork.filter(isOf('undici', 'client'))).toHaveLength(2)
  expect(ofWork.filter(isOf('ioredis', 'client'))).toHaveLength(2)

  const requestsOfProbes = 3
  expect(spans).toHaveLength(ofWork.length + requestsOfProbes)
})

test('sampling follows OTEL_TRACES_SAMPLER', async () => {
  expect(await spansOfRun({ OTEL_TRACES_SAMPLER: 'always_off' })).toEqual([])
})

test('without a destination a request to another still names its trace, as one that is not recorded', async () => {
  const told = await runOf('one-request.ts', { TRACEPARENT: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' })
  expect(told).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-00\n$/)
  expect(await runOf('one-request.ts', {})).toMatch(/^00-(?!0{32})[\da-f]{32}-[\da-f]{16}-00\n$/)
})

test('without a destination nothing is loaded that records or sends spans', async () => {
  const loadedIn = async (env: NodeJS.ProcessEnv) =>
    new Set(
      (await runOf('one-request.ts', env, ['what-is-loaded.ts'])).matchAll(/^loaded (.+)$/gm).map(([, one]) => one),
    )
  const recording = ['@opentelemetry/sdk-node', '@opentelemetry/exporter-trace-otlp-proto']
  expect([...(await loadedIn({ TRACE_FILE: join(folder, 'loaded.jsonl') }))]).toEqual(expect.arrayContaining(recording))
  expect(
    [...(await loadedIn({}))].filter((one) => /sdk-node|exporter-trace|-(http|express|pg|ioredis)$/.test(one ?? '')),
  ).toEqual([])
})
