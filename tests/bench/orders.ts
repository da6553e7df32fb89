import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort, mesh } from '@svc/testing'
import pg from 'pg'
import { mintKeys } from './keys.ts'
import { loadOrders, type Measured } from './load.ts'
import { pgbenchOrders } from './pgbench.ts'
import { median, platform, rounded, table } from './report.ts'

/**
 * Orders per second and latency through the whole mesh, next to one express process that inserts the same row and to
 * pgbench running the same SQL, in turns within one run.
 *
 *   node --conditions=source tests/bench/orders.ts [seconds per turn] [rounds]
 */
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 5)
const concurrencies = [1, 10, 50, 100]

const system = await mesh({ spans: false })
const owner = system.databaseUrls['order']?.owner ?? ''
const setup = new pg.Client({ connectionString: owner })
await setup.connect()
await setup.query('CREATE SCHEMA IF NOT EXISTS baseline')
await setup.query('CREATE TABLE baseline.orders (LIKE public.orders INCLUDING ALL)')
await setup.end()

const port = await freePort()
const baseline = fork(join(import.meta.dirname, 'baseline-server.ts'), {
  env: { ...process.env, PORT: String(port), DATABASE_URL: owner, NODE_ENV: 'production' },
  execArgv: ['--conditions=source'],
})
await once(baseline, 'message')

try {
  // At 300 calls a minute each; fewer would measure refusals, more would measure how unused keys are verified.
  const tokens = await mintKeys(system, 300, { isTest: false })
  const sides = { mesh: system.baseUrl, baseline: `http://127.0.0.1:${port}` }
  // V8 goes on compiling a process of this size for about twenty seconds of load.
  for (const url of Object.values(sides)) await loadOrders({ url, connections: 20, seconds: 20, tokens })

  const rows: Array<Array<string | number>> = []
  for (const connections of concurrencies) {
    const measured: Record<keyof typeof sides, Measured[]> = { mesh: [], baseline: [] }
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      for (const side of ['mesh', 'baseline'] as const) {
        const result = await loadOrders({ url: sides[side], connections, seconds, tokens })
        if (result.refused > 0) throw new Error(`${side}: ${result.refused} calls were refused; the run says nothing`)
        measured[side].push(result)
      }
      ratios.push(measured.mesh.at(-1)!.perSecond / measured.baseline.at(-1)!.perSecond)
    }
    const of = (side: keyof typeof sides, key: 'perSecond' | 'p50Ms' | 'p99Ms') =>
      median(measured[side].map((m) => m[key]))
    rows.push([
      connections,
      rounded(of('mesh', 'perSecond')),
      of('mesh', 'p50Ms'),
      of('mesh', 'p99Ms'),
      rounded(of('baseline', 'perSecond')),
      of('baseline', 'p99Ms'),
      rounded(median(ratios), 2),
    ])
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
      ],
      rows,
    ),
  )
  const bare = pgbenchOrders(system.databaseUrls['order']?.app ?? '', seconds)
  console.log(`pgbench, the same SQL, 10 clients: ${rounded(bare)} per second`)
} finally {
  baseline.kill()
  await system.stop()
}
