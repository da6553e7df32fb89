import { join } from 'node:path'
import { eventually, mesh, receiver } from '@svc/testing'
import { dashboards } from '../../deploy/observability/src/dashboards.ts'
import { answered, orderBody, signUp } from '../journeys/merchant.ts'
import { startPrometheus } from './prometheus.ts'

/**
 * Asks every expression of the dashboards of a real Prometheus that watches a mesh at work: each must be one that it can
 * evaluate, and have series, but for those of what did not happen here: they are named. Ends with 1 where a dashboard shows
 * nothing at all, or an expression fails.
 *
 *   node --conditions=source tests/rehearsals/dashboards.ts
 */
const ORDERS = 5
const RATE_INTERVAL = '30s'
/** Long enough for a rate over that: two scrapes at least. */
const LOOKS_WITHIN_MS = 60_000

interface Shown {
  title: string
  panels: { title: string; targets?: { expr: string }[] }[]
}

const target = await receiver()
const system = await mesh({ spans: false })
const prometheus = await startPrometheus(join(system.folder, 'prometheus'), system.metricsUrls)
try {
  await journeys()
  for (const content of Object.values(dashboards)) await look(content as Shown)
} finally {
  await prometheus.stop()
  await system.stop()
  await target.close()
}

/** Orders to their end, questions that are refused, and a webhook for each change. */
async function journeys(): Promise<void> {
  const { test: api } = await signUp(system.baseUrl)
  answered(200, await api.patch('/v1/me/outbound-webhook', { url: target.url, enabled: true }))
  for (let nth = 0; nth < ORDERS; nth++) {
    const { id } = answered(201, await api.post('/v1/orders', orderBody())).body.order
    for (const action of ['accept', 'pickup', 'deliver'])
      answered(200, await api.post('/v1/test/simulator/rider-action', { order_id: id, action }))
    await api.get(`/v1/orders/${id}`)
    await api.get('/v1/orders/none')
  }
}

async function look({ title, panels }: Shown): Promise<void> {
  const all = panels.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => ({ panel: panel.title, expr })))
  const counts = async () =>
    Promise.all(all.map(({ expr }) => prometheus.series(expr.replaceAll('$__rate_interval', RATE_INTERVAL))))
  let empty = all
  await eventually(
    async () => {
      const found = await counts()
      empty = all.filter((_, index) => found[index] === 0)
      return empty.length === 0
    },
    { timeoutMs: LOOKS_WITHIN_MS, intervalMs: 5_000 },
  ).catch((error: Error) => {
    // An expression that has nothing to show is no failure; one that cannot be evaluated is.
    if (error.cause instanceof Error) throw error
  })
  const names = [...new Set(empty.map(({ panel }) => panel))]
  console.log(
    `${title}: ${all.length - empty.length} of ${all.length} expressions have series${names.length > 0 ? `; none: ${names.join(', ')}` : ''}`,
  )
  if (empty.length === all.length) process.exitCode = 1
}
