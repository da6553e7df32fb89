import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually, mesh, receiver } from '@svc/testing'
import { dashboards } from '../../deploy/observability/src/dashboards.ts'
import { everythingThatPanelsShow } from './everything-that-panels-show.ts'
import { startPrometheus } from './prometheus.ts'

/**
 * Asks every expression of the dashboards of a real Prometheus that watches a mesh in which all happens that a panel shows,
 * faults included. Ends with 1 where an expression has nothing to show, or cannot be evaluated.
 *
 *   node --conditions=source tests/rehearsals/dashboards.ts
 */
const RATE_INTERVAL = '30s'
/** Long enough for a rate over that, and for a rule that looks once a minute. */
const LOOKS_WITHIN_MS = 120_000
const PAUSE_MS = 2_000

interface Shown {
  title: string
  panels: { title: string; targets?: { expr: string }[] }[]
}

const target = await receiver()
const system = await mesh({ ownServers: true, spans: false })
const prometheus = await startPrometheus(join(system.folder, 'prometheus'), system.metricsUrls)
const over = new AbortController()
try {
  const { faults, work } = await everythingThatPanelsShow(system, target.url)
  await work()
  await faults()
  // A quantile shows what happens at the time.
  const working = goOn(work)
  for (const content of Object.values(dashboards)) await look(content as Shown)
  over.abort()
  await working
} finally {
  await prometheus.stop()
  await system.stop()
  await target.close()
}

async function goOn(work: () => Promise<void>): Promise<void> {
  while (!over.signal.aborted) {
    await work().catch((error: Error) => console.error(error.message))
    await wait(PAUSE_MS, undefined, { signal: over.signal }).catch(() => {})
  }
}

async function look({ title, panels }: Shown): Promise<void> {
  const all = panels.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => ({ panel: panel.title, expr })))
  let empty = all
  await eventually(
    async () => {
      const found = await Promise.all(
        empty.map(({ expr }) => prometheus.series(expr.replaceAll('$__rate_interval', RATE_INTERVAL))),
      )
      empty = empty.filter((_, index) => found[index] === 0)
      return empty.length === 0
    },
    { timeoutMs: LOOKS_WITHIN_MS, intervalMs: 2_000 },
  ).catch((error: Error) => {
    // That one has nothing to show is told below.
    if (error.cause instanceof Error) throw error
  })
  console.log(`${title}: ${all.length - empty.length} of ${all.length} expressions have series`)
  for (const { panel, expr } of empty) console.log(`  nothing: ${panel}: ${expr}`)
  if (empty.length > 0) process.exitCode = 1
}
