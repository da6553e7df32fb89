import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, type Mesh, mesh } from '@svc/testing'
import autocannon from 'autocannon'
import pg from 'pg'
import { type Api, answered, orderBody, signUp } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'
import { cloneRows, openTables } from './clone-rows.ts'
import { type CpuMs, cpuMs, perOperation, total } from './cpu.ts'
import { approve } from './keys.ts'
import { median, platform, rounded, table } from './report.ts'

/**
 * What reading an order and a page of ten costs, of a merchant with 10,000 orders and of one with a million, next to one
 * express process that runs the same select, in turns within one run: calls, latencies, and CPU of each process per call.
 * Then what the whole mesh uses while nobody calls.
 *
 *   node --conditions=source tests/bench/reads.ts [seconds per turn] [rounds] [orders of the big merchant] [seconds at rest]
 */
const seconds = Number(process.argv[2] ?? 5)
const rounds = Number(process.argv[3] ?? 5)
const bigOrders = Number(process.argv[4] ?? 1_000_000)
const restSeconds = Number(process.argv[5] ?? 60)
const SMALL_ORDERS = 10_000

interface Merchant {
  headers: Record<string, string>
  orderId: string
}

interface Side {
  name: string
  url: string
  headers: Record<string, string>
}

interface Turn {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Of each process, per call. */
  cpuMs: CpuMs
}

const system = await mesh({
  ownServers: true,
  spans: false,
  environment: { RATE_LIVE_KEY_PER_MINUTE: '100000000', RATE_LIVE_MERCHANT_PER_MINUTE: '100000000' },
})
const port = await freePort()
const baseline = fork(join(import.meta.dirname, 'baseline-server.ts'), {
  env: {
    ...process.env,
    PORT: String(port),
    DATABASE_URL: system.databaseUrls['order']?.worker ?? '',
    NODE_ENV: 'production',
  },
  execArgv: ['--conditions=source'],
})
await once(baseline, 'message')
/** What all that is measured has used until now; Kafka has no part in a read. */
const used = (): CpuMs => {
  const { kafka: _, ...others } = cpuMs(system, { express: baseline.pid as number })
  return others
}

try {
  const small = await merchantWith(system, SMALL_ORDERS, '127.0.10.1')
  const big = await merchantWith(system, bigOrders, '127.0.10.2')
  const sides: Side[] = [
    { name: 'express + select', url: `http://127.0.0.1:${port}/v1/orders/${small.orderId}`, headers: {} },
    { name: 'GET one', url: `${system.baseUrl}/v1/orders/${small.orderId}`, headers: small.headers },
    {
      name: `list, ${SMALL_ORDERS.toLocaleString('en')}`,
      url: `${system.baseUrl}/v1/orders?limit=10`,
      headers: small.headers,
    },
    {
      name: `list, ${bigOrders.toLocaleString('en')} of the big one`,
      url: `${system.baseUrl}/v1/orders?limit=10`,
      headers: big.headers,
    },
  ]
  // V8 goes on compiling a process of this size for about twenty seconds of load.
  for (const side of sides) await turnOf(side, 20, 10)

  const rows: Array<Array<string | number>> = []
  for (const connections of [1, 20]) {
    const turns = new Map<string, Turn[]>(sides.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round++)
      for (const side of sides) turns.get(side.name)!.push(await turnOf(side, connections, seconds))
    for (const { name } of sides) rows.push(rowOf(connections, name, turns))
  }
  console.log(platform())
  console.log(
    table(['clients', 'read', 'calls/s', 'p50 ms', 'p99 ms', 'to express', 'CPU ms a call', 'of which'], rows),
  )
  if (restSeconds > 0) await rest(restSeconds)
} finally {
  baseline.kill()
  await system.stop()
}

/** A merchant with a live key and so many live orders, the newest of which the API made itself. */
async function merchantWith(on: Mesh, orders: number, localAddress: string): Promise<Merchant> {
  const signedUp = await signUp(on.baseUrl, localAddress)
  await approve(on, signedUp)
  await topUp(on, signedUp.owner, 1_000_000)
  const minted = await signedUp.owner.post('/v1/me/api-keys', { is_test: false, scopes: ['orders:write'] })
  const live: Api = signedUp.owner.bearing(answered(201, minted).body.api_key)
  const orderId = answered(201, await live.post('/v1/orders', orderBody())).body.order.id as string
  const owner = new pg.Client({ connectionString: on.databaseUrls['order']?.owner, options: '-c lock_timeout=0' })
  await owner.connect()
  const close = await openTables(owner, ['orders'])
  await cloneRows(owner, {
    table: 'orders',
    like: `id = '${orderId}'`,
    differing: {
      id: 'gen_random_uuid()',
      external_order_id: `'clone-' || n`,
      tracking_token: 'NULL',
      created_at: `t.created_at - interval '20 days' * n / ${orders}`,
    },
    to: orders - 1,
  })
  await close()
  await owner.end()
  return { headers: live.headers, orderId }
}

async function turnOf({ name, url, headers }: Side, connections: number, duration: number): Promise<Turn> {
  const before = used()
  const result = await autocannon({ url, headers, connections, duration })
  const after = used()
  const calls = result['2xx']
  if (result.non2xx + result.errors > 0 || calls === 0) throw new Error(`${name}: ${result.non2xx} calls were refused`)
  const { p50: p50Ms, p99: p99Ms } = result.latency
  return { perSecond: calls / result.duration, p50Ms, p99Ms, cpuMs: perOperation(before, after, calls) }
}

function rowOf(connections: number, name: string, turns: Map<string, Turn[]>): Array<string | number> {
  const mine = turns.get(name)!
  const base = turns.get('express + select')!
  const of = (key: 'perSecond' | 'p50Ms' | 'p99Ms') => median(mine.map((turn) => turn[key]))
  const part = (which: string) => median(mine.map(({ cpuMs: each }) => each[which] ?? 0))
  const parts = Object.keys(mine[0]!.cpuMs).map((which) => [which, part(which)] as const)
  const ratio = median(mine.map(({ perSecond }, turn) => perSecond / base[turn]!.perSecond))
  return [
    connections,
    name,
    rounded(of('perSecond')),
    of('p50Ms'),
    of('p99Ms'),
    rounded(ratio, 2),
    rounded(median(mine.map(({ cpuMs: each }) => total(each))), 2),
    parts
      .filter(([which, ms]) => which !== 'load' && ms >= 0.01)
      .map(([which, ms]) => `${which} ${rounded(ms, 2)}`)
      .join(', '),
  ]
}

/** What each process uses while nobody calls. */
async function rest(duration: number): Promise<void> {
  // The last connections of the load idle out first.
  await wait(35_000)
  const before = used()
  await wait(duration * 1_000)
  const share = perOperation(before, used(), duration * 10)
  const parts = Object.keys(share).filter((part) => part !== 'load' && part !== 'express')
  console.log(`at rest for ${duration} s, per cent of one core, without Kafka:`)
  console.log(
    table(['all', ...parts], [[rounded(total(share), 2), ...parts.map((part) => rounded(share[part] ?? 0, 2))]]),
  )
}
