import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { SharedStreamServiceService } from '@svc/contracts/common/v1/shared_stream_service'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { type SharedRpc, SharedStreams } from '../src/shared-streams.ts'

interface Span {
  trace_id: string
  span_id: string
  parent_span_id?: string
  name: string
  scope: string
  kind: string
  service: string
  is_error: boolean
  attributes: Record<string, unknown>
}

const packageRoot = new URL('..', import.meta.url)
const running: ChildProcess[] = []
let folder: string
let traceFile: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'one-trace-'))
  traceFile = join(folder, 'spans.jsonl')
})
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

async function start(fixture: string, service: string, env: NodeJS.ProcessEnv = {}) {
  const child = fork(new URL(`./fixtures/${fixture}.ts`, import.meta.url), {
    cwd: packageRoot,
    execArgv: ['--conditions=source', '--import', '@svc/telemetry/register'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      LOG_LEVEL: 'info',
      OTEL_SERVICE_NAME: service,
      TRACE_FILE: traceFile,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  running.push(child)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const [addresses] = (await once(child, 'message')) as [Record<string, string>]
  return { child, addresses, output: () => output }
}

async function stop(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM')
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}

const spans = async () =>
  (await readFile(traceFile, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Span)

test('one request is one trace through express, gRPC and Postgres, and no span of it is lost at SIGTERM', async () => {
  const service = await start('service', 'order')
  const edge = await start('edge', 'gateway', { ORDER_GRPC_ADDRESS: service.addresses['grpc'] })

  expect((await fetch(`http://${edge.addresses['http']}/orders/o-1`)).status).toBe(200)
  for (const path of ['/health', '/health/ready', '/metrics']) {
    expect((await fetch(`http://${service.addresses['ops']}${path}`)).status).toBe(200)
  }
  expect(await stop(edge.child)).toBe(0)
  expect(await stop(service.child)).toBe(0)

  const found = await spans()
  expect(
    found.map(({ service, scope, kind }) => [service, scope.replace('@opentelemetry/instrumentation-', ''), kind]),
  ).toEqual(
    expect.arrayContaining([
      ['gateway', 'http', 'server'],
      ['gateway', 'express', 'internal'],
      ['gateway', '@svc/grpc', 'client'],
      ['order', '@svc/grpc', 'server'],
      ['order', 'pg', 'client'],
    ]),
  )
  expect(new Set(found.map(({ trace_id }) => trace_id)).size).toBe(1)
  expect(found.filter(({ parent_span_id }) => parent_span_id === undefined)).toHaveLength(1)
  expect(found.filter(({ scope }) => scope.endsWith('-pg'))).toHaveLength(1)

  const line = service
    .output()
    .split('\n')
    .find((each) => each.includes('inside the handler'))
  const logged = JSON.parse(line ?? '{}')
  const handlerSpan = found.find(({ service, kind }) => service === 'order' && kind === 'server')
  expect(logged).toMatchObject({
    trace_id: handlerSpan?.trace_id,
    span_id: handlerSpan?.span_id,
    request_id: 'req-ünïcode-1',
    traceparent: `00-${handlerSpan?.trace_id}-${handlerSpan?.span_id}-01`,
  })
})

test('an rpc that refuses is no error of its trace, and one that fails is, at both ends', async () => {
  const service = await start('service', 'order')
  const edge = await start('edge', 'gateway', { ORDER_GRPC_ADDRESS: service.addresses['grpc'] })
  for (const id of ['nobody-has-it', 'breaks']) await fetch(`http://${edge.addresses['http']}/orders/${id}`)
  await stop(edge.child)
  await stop(service.child)

  const rpcs = (await spans()).filter(({ scope }) => scope === '@svc/grpc')
  const errors = rpcs.map(({ attributes, kind, is_error }) => `${String(attributes['error.type'])} ${kind} ${is_error}`)
  expect(errors.toSorted()).toEqual([
    'internal_error client true',
    'internal_error server true',
    'not_found client false',
    'not_found server false',
  ])
})

test('where no span is recorded, an rpc and the log lines of its handler still name the trace of the request', async () => {
  const service = await start('service', 'order', { TRACE_FILE: '' })
  const edge = await start('edge', 'gateway', { TRACE_FILE: '', ORDER_GRPC_ADDRESS: service.addresses['grpc'] })

  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await fetch(`http://${edge.addresses['http']}/orders/o-1`, { headers: { traceparent } })
  await stop(edge.child)
  await stop(service.child)

  const line = service
    .output()
    .split('\n')
    .find((each) => each.includes('inside the handler'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', traceparent })
})

test('a trace that is recorded is so with all its rpcs; of another nothing is, and its log lines name it all the same', async () => {
  const sampling = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }
  const service = await start('service', 'order', sampling)
  const edge = await start('edge', 'gateway', { ...sampling, ORDER_GRPC_ADDRESS: service.addresses['grpc'] })
  const recorded = '4bf92f3577b34da6a3ce929d0e0e4736'
  const passedOver = '5cf92f3577b34da6a3ce929d0e0e4737'
  for (const traceparent of [`00-${recorded}-00f067aa0ba902b7-01`, `00-${passedOver}-00f067aa0ba902b7-00`]) {
    expect((await fetch(`http://${edge.addresses['http']}/orders/o-1`, { headers: { traceparent } })).status).toBe(200)
  }
  await stop(edge.child)
  await stop(service.child)

  const found = await spans()
  expect(new Set(found.map(({ trace_id }) => trace_id))).toEqual(new Set([recorded]))
  const rpcs = found.filter(({ scope }) => scope === '@svc/grpc')
  const [client, server] = ['client', 'server'].map((kind) => rpcs.find((span) => span.kind === kind))
  expect(rpcs).toHaveLength(2)
  expect(server?.parent_span_id).toBe(client?.span_id)
  const logged = service
    .output()
    .split('\n')
    .filter((each) => each.includes('inside the handler'))
    .map((line) => JSON.parse(line).trace_id)
  expect(logged).toEqual([recorded, passedOver])
})

test.each(['spans are recorded', 'no span is recorded'])('calls share a stream where %s', async (where) => {
  const method = OrderServiceService.getOrder as unknown as SharedRpc['method']
  const serve = async () => ({ response: { order: undefined } })
  // It knows streams alone: a call with a stream of its own fails here.
  const server = new Server()
  const { handle } = new SharedStreams(new Map([[method.path, { method, serve }]]))
  server.addService(SharedStreamServiceService, { shareStream: handle })
  const { promise: port, resolve, reject } = Promise.withResolvers<number>()
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
    error ? reject(error) : resolve(bound),
  )
  const address = `127.0.0.1:${await port}`
  const edge = await start('edge', 'gateway', {
    ORDER_GRPC_ADDRESS: address,
    ...(where === 'no span is recorded' && { TRACE_FILE: '' }),
  })

  expect((await fetch(`http://${edge.addresses['http']}/orders/o-1`)).status).toBe(200)
  await stop(edge.child)
  server.forceShutdown()
})
