import { mesh } from '@svc/testing'
import { openRateCard, placed } from '../journeys/fleet.ts'
import { Api } from '../journeys/merchant.ts'
import { startBaseline } from './baseline.ts'
import { type CpuMs, cpuMs, perOperation, total } from './cpu.ts'
import { mintKeys } from './keys.ts'
import { loadOrders, type Measured } from './load.ts'
import { pgbenchOrders } from './pgbench.ts'
import { median, platform, rounded, table } from './report.ts'
import { takenOver } from './taken-over.ts'

/**
 * Orders per second and latency through the whole mesh, without coordinates and with them (priced, and its funds asked for),
 * next to one express process that inserts the same row and to pgbench running the same SQL, in turns within one run; and
 * what an order costs in each process, until its consumers are done with it. Commits wait for the disk.
 *
 *   node --conditions=source tests/bench/orders.ts [seconds per turn] [rounds] [clients ...]
 */
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 5)
const concurrencies = process.argv.length > 4 ? process.argv.slice(4).map(Number) : [1, 10, 50, 100]

const system = await mesh({ ownServers: true, durable: true, spans: false })
const baseline = await startBaseline(system)
const allTakenOver = takenOver(system)

try {
  // At 300 calls a minute each; fewer would measure refusals, more would measure how unused keys are verified.
  const tokens = await mintKeys(system, 300, { isTest: false })
  await openRates()
  const sides = {
    unpriced: { url: system.baseUrl },
    priced: { url: system.baseUrl, order: placed() },
    baseline: { url: baseline.url },
  }
  type Side = keyof typeof sides
  const inTurns = Object.keys(sides) as Side[]
  // V8 goes on compiling a process of this size for about twenty seconds of load.
  for (const side of inTurns) await loadOrders({ ...sides[side], connections: 20, seconds: 20, tokens })

  const rows: Array<Array<string | number>> = []
  const costs: Array<Array<string | number>> = []
  let processes: string[] = []
  for (const connections of concurrencies) {
    const measured: Record<Side, Array<Measured & { cpu: CpuMs }>> = { unpriced: [], priced: [], baseline: [] }
    for (let round = 0; round < rounds; round++) {
      for (const side of inTurns) {
        await allTakenOver()
        const before = cpuMs(system)
        const result = await loadOrders({ ...sides[side], connections, seconds, tokens })
        if (result.refused > 0) throw new Error(`${side}: ${result.refused} calls were refused; the run says nothing`)
        await allTakenOver()
        measured[side].push({ ...result, cpu: perOperation(before, cpuMs(system), result.accepted) })
      }
    }
    const of = (side: Side, key: 'perSecond' | 'p50Ms' | 'p99Ms') => median(measured[side].map((m) => m[key]))
    const ratio = (side: Side, to: Side) =>
      rounded(median(measured[side].map((m, round) => m.perSecond / measured[to][round]!.perSecond)), 2)
    rows.push([
      connections,
      rounded(of('unpriced', 'perSecond')),
      of('unpriced', 'p50Ms'),
      of('unpriced', 'p99Ms'),
      rounded(of('baseline', 'perSecond')),
      of('baseline', 'p99Ms'),
      ratio('unpriced', 'baseline'),
      ratio('priced', 'unpriced'),
    ])
    for (const side of ['unpriced', 'priced'] as const) {
      processes = Object.keys(measured[side][0]!.cpu)
      const used = (cost: (cpu: CpuMs) => number) => rounded(median(measured[side].map(({ cpu }) => cost(cpu))), 3)
      costs.push([connections, side, used(total), ...processes.map((name) => used((cpu) => cpu[name] ?? Number.NaN))])
    }
  }
  console.log(platform())
  console.log(
    table(
      [
        'clients',
        'mesh orders/s',
        'mesh p50 ms',
        'mesh p99 ms',
        'express + insert/s',
        'its p99 ms',
        'ratio (median of pairs)',
        'priced to unpriced',
      ],
      rows,
    ),
  )
  console.log('Milliseconds of CPU an order, the consumers of its facts included:')
  console.log(table(['clients', 'orders', 'all but load', ...processes], costs))
  const bare = pgbenchOrders(system.databaseUrls['order']?.app ?? '', seconds)
  console.log(`pgbench, the same SQL, 10 clients: ${rounded(bare)} per second`)
} finally {
  baseline.stop()
  await allTakenOver.close()
  await system.stop()
}

/** Prices deliveries, and deliveries have a price only where somebody says so. */
async function openRates(): Promise<void> {
  const anyone = new Api(system.baseUrl)
  const { body } = await anyone.bearing(system.adminStaticToken).post('/v1/admin/auth/token')
  await openRateCard(anyone.bearing(body.access_token))
}
