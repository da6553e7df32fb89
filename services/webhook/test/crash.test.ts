import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, freePort, merchantCaller, type ReceivedRequest, type Receiver, receiver } from '@svc/testing'
import { type Clients, type PreparedWebhook, prepareWebhook } from './start-webhook.ts'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const children: ChildProcess[] = []
let folder: string
let setup: PreparedWebhook & Clients
let target: Receiver

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhook-crash-'))
  target = await receiver()
  const grpcPort = await freePort()
  const prepared = await prepareWebhook({ GRPC_PORT: String(grpcPort) })
  setup = { ...prepared, ...prepared.connect(`127.0.0.1:${grpcPort}`) }
})
afterEach(async () => {
  target.requests.length = 0
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGKILL')
})
afterAll(async () => {
  await setup?.release()
  await target?.close()
  if (folder) await rm(folder, { recursive: true })
})

async function startProcess(environment: Record<string, string> = {}): Promise<ChildProcess> {
  const opsPort = await freePort()
  const child = spawn(process.execPath, ['--conditions=source', '--import', '@svc/telemetry/register', 'src/main.ts'], {
    cwd: packageFolder,
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      ...setup.env,
      OPS_PORT: String(opsPort),
      OTEL_SERVICE_NAME: 'webhook',
      ...environment,
    },
  })
  children.push(child)
  await eventually(async () => (await fetch(`http://127.0.0.1:${opsPort}/health/ready`)).ok)
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

describe('a process that is asked to stop', () => {
  test('ends cleanly after the attempts in flight', async () => {
    const caller = merchantCaller()
    let answer = () => {}
    target.respond(
      () =>
        new Promise((resolve) => {
          answer = () => resolve({ status: 200 })
        }),
    )
    const child = await startProcess()
    await setup.patch(caller, { url: target.url, enabled: true })
    const [eventId = ''] = await setup.announce({ merchantId: caller.merchantId as string })
    await target.waitFor(({ body }) => body.includes(eventId))
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    answer()
    expect(await exited).toEqual([0, null])
    const rows = await setup.sql('SELECT status, attempts FROM delivery WHERE merchant_id = $1', [caller.merchantId])
    expect(rows).toEqual([{ status: 'succeeded', attempts: 1 }])
  })
})

describe('the trace', () => {
  test('of the order request goes on to the POST of its webhook', async () => {
    const caller = merchantCaller()
    target.respond(() => ({ status: 200 }))
    const file = join(folder, 'spans.jsonl')
    const child = await startProcess({ TRACE_FILE: file })
    await setup.patch(caller, { url: target.url, enabled: true })
    const traceId = randomUUID().replaceAll('-', '')
    const [eventId = ''] = await setup.announce({
      merchantId: caller.merchantId as string,
      traceparent: `00-${traceId}-${traceId.slice(16)}-01`,
    })
    const request = await target.waitFor(({ body }) => body.includes(eventId))
    expect(request.headers.traceparent).toContain(traceId)
    await eventually(async () => {
      const { items } = await setup.delivery.as(caller).listDeliveries({ limit: 0, offset: 0 })
      return items[0]?.status === 'succeeded'
    })
    await end(child, 'SIGTERM')
    const spans = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { trace_id: string; scope: string })
    const scopes = spans.filter((span) => span.trace_id === traceId).map(({ scope }) => scope)
    expect(scopes).toContain('@opentelemetry/instrumentation-undici')
  })
})

describe('a killed process', () => {
  test('loses no event: what it was sending goes out again, the same bytes under the same event id', async () => {
    const caller = merchantCaller()
    const merchantId = caller.merchantId as string
    const announce = () => setup.announce(...Array.from({ length: 100 }, () => ({ merchantId })))
    const idOf = (request: ReceivedRequest) => (request.json() as { event_id: string }).event_id
    target.respond(() => new Promise(() => {}))
    const first = await startProcess()
    await setup.patch(caller, { url: target.url, enabled: true })
    const announced = await announce()
    await eventually(() => target.requests.length === 5)
    await end(first, 'SIGKILL')
    const unfinished = [...target.requests]
    target.respond(() => ({ status: 200 }))
    announced.push(...(await announce()))
    await startProcess()
    await setup.database.shiftClock(31_000)
    // Kafka gives the partitions of a member that vanished to another one when its session ends.
    await eventually(() => target.requests.length >= announced.length + unfinished.length)
    expect(target.requests.map(idOf).toSorted()).toEqual([...announced, ...unfinished.map(idOf)].toSorted())
    for (const sent of unfinished) {
      const again = target.requests.findLast((request) => idOf(request) === idOf(sent))
      expect(again?.body).toEqual(sent.body)
      expect(again?.headers['x-service-delivery']).not.toBe(sent.headers['x-service-delivery'])
    }
    const [log] = await setup.sql<{ events: string }>(
      'SELECT count(*) AS events FROM event_log WHERE merchant_id = $1',
      [merchantId],
    )
    expect(log?.events).toBe(String(announced.length))
  })
})
