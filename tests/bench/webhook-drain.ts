import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually, freePort, merchantCaller, stopTestServers } from '@svc/testing'
import { prepareWebhook } from '../../services/webhook/test/start-webhook.ts'
import { percentile, platform, rounded, table } from './report.ts'

/**
 * The webhook service alone, a process of its own, and one fast receiver for all merchants: deliveries per second while a
 * backlog drains, and the time from the commit of an event until its POST at a steady rate, first while all endpoints
 * answer and then while one in a hundred hangs. Events are committed as another replica would.
 *
 *   node --conditions=source tests/bench/webhook-drain.ts [merchants] [events of each] [events/s] [seconds]
 */
const [merchants = 100, eventsOfEach = 100, perSecond = 100, seconds = 10] = process.argv.slice(2).map(Number)
const HANGING = Math.ceil(merchants / 100)
const TICK_MS = 50
const CHUNK = 1_000

// Nothing is measured here but on this machine.
process.env['GRPC_TLS'] = 'off'

let received = 0
let firstAt = 0
let lastAt = 0
let latencies: number[] | undefined
let isHanging = false
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    if (isHanging && request.url === '/hanging') return
    response.end()
    lastAt = performance.now()
    firstAt ||= lastAt
    received++
    latencies?.push(Date.now() - (JSON.parse(Buffer.concat(chunks).toString()) as { at: number }).at)
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const target = `http://127.0.0.1:${(receiver.address() as { port: number }).port}`

const prepared = await prepareWebhook()
const ids = Array.from({ length: merchants }, () => randomUUID())

/** Events of these merchants, due at once; one transaction. */
async function append(ofMerchants: readonly string[]): Promise<void> {
  const each = <T>(of: (merchant: string) => T) => ofMerchants.map(of)
  const now = new Date()
  const envelope = JSON.stringify({ at: now.getTime(), order: { id: randomUUID(), address: 'x'.repeat(800) } })
  await prepared.sql('SELECT append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)', [
    [],
    [],
    [],
    each(() => randomUUID()),
    each(() => null),
    each(() => 1),
    ofMerchants,
    each(() => true),
    each(() => randomUUID()),
    each(() => 'order.created'),
    each(() => envelope),
    each(() => null),
    each(() => now),
    each(() => true),
  ])
}

async function start() {
  const [grpcPort, opsPort] = await Promise.all([freePort(), freePort()])
  const child = spawn(process.execPath, ['--conditions=source', 'src/main.ts'], {
    cwd: join(import.meta.dirname, '../../services/webhook'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...prepared.env,
      PATH: process.env['PATH'],
      LOG_LEVEL: 'error',
      GRPC_TLS: 'off',
      GRPC_PORT: String(grpcPort),
      OPS_PORT: String(opsPort),
    },
  })
  const ready = async () => (await fetch(`http://127.0.0.1:${opsPort}/health/ready`)).ok
  return { child, address: `127.0.0.1:${grpcPort}`, ready: () => eventually(ready, { timeoutMs: 120_000 }) }
}

async function ended({ child }: Awaited<ReturnType<typeof start>>): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** From user and system time in /proc, which counts in hundredths of a second. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Latencies of those that answer. */
async function steady(): Promise<number[]> {
  const taken: number[] = []
  latencies = taken
  const all = received + perSecond * seconds
  const expected = isHanging ? all - (perSecond * seconds * HANGING) / merchants : all
  let turn = 0
  for (const startedAt = performance.now(); turn < perSecond * seconds; ) {
    const due = Math.min(perSecond * seconds, ((performance.now() - startedAt) / 1000) * perSecond)
    const some: string[] = []
    while (turn < due) some.push(ids[turn++ % merchants] as string)
    if (some.length > 0) {
      await append(some)
      await prepared.sql(`SELECT pg_notify('webhook_delivery', '')`)
    }
    await wait(TICK_MS)
  }
  await eventually(() => received >= Math.floor(expected), { timeoutMs: 120_000 })
  latencies = undefined
  return taken
}

try {
  const first = await start()
  await first.ready()
  const clients = prepared.connect(first.address)
  for (const [index, merchantId] of ids.entries()) {
    const caller = { ...merchantCaller(), merchantId }
    await clients.patch(caller, { url: `${target}/${index < HANGING ? 'hanging' : 'hooks'}`, enabled: true })
  }
  await ended(first)
  const backlog = Array.from({ length: merchants * eventsOfEach }, (_, index) => ids[index % merchants] as string)
  for (let from = 0; from < backlog.length; from += CHUNK) await append(backlog.slice(from, from + CHUNK))

  const second = await start()
  await eventually(() => received > 0, { timeoutMs: 120_000 })
  const cpuBefore = cpuMsOf(second.child.pid as number)
  const before = received
  await eventually(() => received >= backlog.length, { timeoutMs: 600_000 })
  const cpuMs = cpuMsOf(second.child.pid as number) - cpuBefore
  const drained = (received * 1000) / (lastAt - firstAt)
  await second.ready()
  await steady()
  const quiet = await steady()
  isHanging = true
  const beside = await steady()
  receiver.closeAllConnections()
  await ended(second)

  const p = (values: number[], share: number) => rounded(percentile(values, share))
  console.log(platform())
  console.log(
    table(
      ['figure', 'value'],
      [
        [`deliveries/s, ${backlog.length} of ${merchants} merchants draining`, rounded(drained)],
        [
          'CPU of the service per delivery, µs',
          rounded((cpuMs * 1000) / (received === before ? 1 : backlog.length - before)),
        ],
        [`event → POST at ${perSecond}/s: p50, p99 ms`, `${p(quiet, 0.5)}, ${p(quiet, 0.99)}`],
        [`the others' while ${HANGING} of ${merchants} hang`, `${p(beside, 0.5)}, ${p(beside, 0.99)}`],
        ['… p99 to p99', rounded(percentile(beside, 0.99) / percentile(quiet, 0.99), 2)],
      ],
    ),
  )
} finally {
  await prepared.release()
  receiver.closeAllConnections()
  receiver.close()
  await stopTestServers()
}
process.exit()
