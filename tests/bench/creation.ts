import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { mesh } from '@svc/testing'
import { Agent, request } from 'undici'
import { openRateCard, operatorOf, placed } from '../journeys/fleet.ts'
import { orderBody } from '../journeys/merchant.ts'
import { countStatements } from './counted-statements.ts'
import { cpuMs, perOperation } from './cpu.ts'
import { mintKeys } from './keys.ts'
import { percentile, platform, rounded, table } from './report.ts'
import { takenOver } from './taken-over.ts'

/**
 * Where the milliseconds of one creation go: by the spans of those that are traced, the others cost what they cost without. A
 * step is its span without those below it. What Postgres needs for the statement that orders share, and to have its WAL on
 * the disk, it counts itself.
 *
 *   node --conditions=source tests/bench/creation.ts [clients] [seconds] [one in so many is traced] [priced]
 */
const [clients = 10, seconds = 20, oneIn = 10] = process.argv.slice(2, 5).map(Number)
const order = process.argv[5] === 'priced' ? placed() : orderBody()
const WARM_UP_SECONDS = 20
/** In which the last spans are written. */
const SPANS_MS = 2_000

interface Span {
  trace_id: string
  span_id: string
  parent_span_id?: string
  duration_ms: number
  scope: string
  kind: string
  service: string
}

interface Call {
  traceId: string
  ms: number
}

const system = await mesh({
  ownServers: true,
  durable: true,
  environment: { OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
})
const allTakenOver = takenOver(system)

try {
  const counted = await countStatements(system)
  const tokens = await mintKeys(system, 300, { isTest: false })
  await openRateCard(await operatorOf(system))
  const [first] = counted.services as [string]
  await counted.sql(first, 'ALTER SYSTEM SET track_wal_io_timing = on')
  await counted.sql(first, 'SELECT pg_reload_conf()')
  await load(tokens, WARM_UP_SECONDS)
  await allTakenOver()
  await counted.reset()
  await counted.sql(first, `SELECT pg_stat_reset_shared('wal')`)
  const before = cpuMs(system)
  const { calls, count } = await load(tokens, seconds)
  await allTakenOver()
  const cpu = perOperation(before, cpuMs(system), count)
  await wait(SPANS_MS)
  const [statement] = await counted.sql(
    'order',
    `SELECT sum(total_exec_time) / sum(calls) AS ms, sum(calls) AS calls FROM pg_stat_statements
      WHERE toplevel AND query LIKE '%FROM create_order(%'`,
  )
  const [wal] = await counted.sql(
    first,
    'SELECT wal_sync_time / greatest(wal_sync, 1) AS ms, wal_sync AS syncs FROM pg_stat_wal',
  )
  const steps = stepsOf(await traced(calls))
  console.log(platform())
  console.log(`${rounded(count / seconds)} orders a second from ${clients} clients; ${steps.length} of ${count} traced`)
  const mean = (of: (step: Steps) => number | null) => {
    const values = steps.map(of).filter((value) => value !== null)
    return values.reduce((sum, value) => sum + value, 0) / values.length
  }
  const row = (name: string, of: (step: Steps) => number | null) => {
    const values = steps.map(of).filter((value) => value !== null)
    return [name, rounded(mean(of), 2), rounded(percentile(values, 0.5), 2), rounded(percentile(values, 0.99), 1)]
  }
  const shared = mean(({ statement: ms }) => ms)
  const own = mean(({ order: ms }) => ms)
  console.log(
    table(
      ['step', 'mean ms', 'p50 ms', 'p99 ms'],
      [
        row('the whole, as its client sees it', ({ whole }) => whole),
        row('to the gateway and back: HTTP, and until it begins', ({ whole, gateway }) => whole - gateway),
        row('gateway, and Redis', (step) => step.gateway - step.hop - step.order),
        row('the hop to order and back', ({ hop }) => hop),
        row('order, whole', ({ order: ms }) => ms),
        ['… its work, its peers, and waiting for the statement under way', rounded(own - shared, 2)],
        row('… the statement that it shares, as order waits for it', ({ statement: ms }) => ms),
        [
          `… … run by Postgres, ${rounded(count / statement!['calls'], 1)} orders in each`,
          rounded(statement!['ms'], 2),
        ],
        [`… … the disk has its WAL, ${rounded(wal!['syncs'] / count, 2)} times an order`, rounded(wal!['ms'], 2)],
      ].map((cells) => [...cells, ...Array<string>(4 - cells.length).fill('')]),
    ),
  )
  console.log('Milliseconds of CPU an order, the consumers of its facts included:')
  console.log(table(Object.keys(cpu), [Object.values(cpu).map((ms) => rounded(ms, 2))]))
} finally {
  await allTakenOver.close()
  await system.stop()
}

/** Orders in a closed loop; the calls that were traced, and the count of all. */
async function load(tokens: readonly string[], duration: number): Promise<{ calls: Call[]; count: number }> {
  const dispatcher = new Agent({ connections: clients, pipelining: 1 })
  const calls: Call[] = []
  let count = 0
  const end = performance.now() + duration * 1_000
  const client = async () => {
    while (performance.now() < end) {
      const nth = count++
      const traceId = nth % oneIn === 0 ? randomBytes(16).toString('hex') : undefined
      const began = performance.now()
      const { statusCode, body } = await request(`${system.baseUrl}/v1/orders`, {
        method: 'POST',
        dispatcher,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${tokens[nth % tokens.length]}`,
          ...(traceId && { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` }),
        },
        body: JSON.stringify({ ...order, external_order_id: randomUUID() }),
      })
      const answer = await body.text()
      if (statusCode !== 201) throw new Error(`an order was answered ${statusCode}: ${answer}`)
      if (traceId) calls.push({ traceId, ms: performance.now() - began })
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  await dispatcher.close()
  return { calls, count }
}

/** The calls with their spans. */
async function traced(calls: readonly Call[]): Promise<Array<Call & { spans: Span[] }>> {
  const texts = await Promise.all(system.traceFiles().map((file) => readFile(file, 'utf8')))
  const spans = texts.flatMap((text) => text.split('\n').slice(0, -1)).map((line) => JSON.parse(line) as Span)
  const byTrace = Map.groupBy(spans, ({ trace_id }) => trace_id)
  return calls.map((call) => ({ ...call, spans: byTrace.get(call.traceId) ?? [] }))
}

/** Milliseconds. */
interface Steps {
  whole: number
  gateway: number
  hop: number
  order: number
  /** Null: its span is of another order's trace. */
  statement: number | null
}

function stepsOf(calls: ReadonlyArray<Call & { spans: Span[] }>): Steps[] {
  return calls.flatMap(({ ms, spans }) => {
    const one = (service: string, scope: string) =>
      spans.find((span) => span.service === service && span.scope.endsWith(scope) && span.kind === 'server')
    const gateway = one('gateway', 'http')
    const served = one('order', 'grpc')
    const called = spans.find(({ span_id }) => span_id === served?.parent_span_id)
    if (!gateway || !served || !called) return []
    const below = spans.filter(({ parent_span_id }) => parent_span_id === served.span_id)
    const lasting = (some: readonly Span[]) => some.reduce((sum, { duration_ms }) => sum + duration_ms, 0)
    const statement = below.filter(({ scope }) => scope.endsWith('pg'))
    return {
      whole: ms,
      gateway: gateway.duration_ms,
      hop: called.duration_ms - served.duration_ms,
      order: served.duration_ms,
      statement: statement.length > 0 ? lasting(statement) : null,
    }
  })
}
