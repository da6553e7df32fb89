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

const fixture = new URL('./fixtures/all-clients.ts', import.meta.url).pathname
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'register-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function spansOfRun(env: NodeJS.ProcessEnv): Promise<Span[]> {
  const traceFile = join(folder, `${randomBytes(4).toString('hex')}.jsonl`)
  await promisify(execFile)(process.execPath, ['--conditions=source', '--import', '@svc/telemetry/register', fixture], {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, NODE_OPTIONS: '', OTEL_SERVICE_NAME: 'fixture', TRACE_FILE: traceFile, ...env },
  })
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
