import { setTimeout as wait } from 'node:timers/promises'
import { eventually, mesh } from '@svc/testing'
import { percentile, platform, rounded, table } from '../bench/report.ts'
import { countingReceiver } from '../chaos/receiver.ts'
import { answered, signUp } from '../journeys/merchant.ts'
import { balancer } from './balancer.ts'
import { replace, servingUrl } from './replace.ts'
import { steadyLoad } from './steady-load.ts'

/**
 * Replaces each process of a mesh with two replicas of everything, one after the other in the order of a rollout, while clients
 * that ask nothing twice place orders and read them. Ends with 1 if a request fails or an order's event does not arrive.
 *
 *   node --conditions=source tests/rehearsals/rolling.ts [orders a second] [reads a second] [processes, by commas]
 */
const [ordersPerSecond = 5, readsPerSecond = 10] = process.argv.slice(2, 4).map(Number)
const chosen = process.argv[4]?.split(',')

/** As docs/deploy/upgrade.md has it. */
const ORDER = ['admin', 'wallet', 'dispatch', 'webhook', 'order', 'ingestion', 'gateway']
/** As deploy/kubernetes/base has them. */
const DRAIN_DELAY_MS = 5_000
const MIN_READY_MS = 5_000

const system = await mesh({
  ownServers: true,
  spans: false,
  replicas: 2,
  environment: { DRAIN_DELAY_MS: String(DRAIN_DELAY_MS), RATE_TEST_KEY_PER_MINUTE: '1000000' },
})
const receiver = await countingReceiver()
const front = await balancer(
  ['gateway', 'gateway-2'].map((name, index) => ({
    url: system.baseUrls[index] as string,
    servingUrl: servingUrl(system, name),
  })),
)

const rows: Array<Array<string | number>> = []
let missing = 0
let load: ReturnType<typeof steadyLoad> | undefined
try {
  const { test } = await signUp(system.baseUrl)
  answered(200, await test.patch('/v1/me/outbound-webhook', { url: receiver.url, enabled: true }))
  load = steadyLoad(front.url, test.headers, { ordersPerSecond, readsPerSecond })
  const during = async (what: string, work: () => Promise<number>) => {
    const from = performance.now()
    const seconds = await work()
    rows.push(rowOf(what, seconds, { from, until: performance.now() }))
    console.log(rows.at(-1)?.join('  '))
  }
  await during('nothing', () => wait(15_000).then(() => 0))
  for (const name of ORDER.filter((one) => chosen?.includes(one) ?? true).flatMap((one) => [one, `${one}-2`]))
    await during(name, () => replace(system, name, MIN_READY_MS))
  await load.stop()
  rows.push(rowOf('all', 0, { from: 0, until: Number.POSITIVE_INFINITY }))
  missing = await missingEvents(load.orderIds)
} finally {
  await load?.stop()
  await front.stop()
  await system.stop()
  receiver.close()
}

function rowOf(what: string, seconds: number, { from, until }: { from: number; until: number }) {
  const asked = load?.asked.filter(({ at }) => at >= from && at < until) ?? []
  const failed = asked.filter(({ failure }) => failure !== undefined)
  for (const { what: call, failure } of failed.slice(0, 5)) console.log(`  a ${call} failed: ${failure}`)
  const ms = asked.map((one) => one.ms)
  return [
    what,
    rounded(seconds, 1),
    asked.length,
    failed.length,
    rounded(percentile(ms, 0.5)),
    rounded(percentile(ms, 0.99)),
    rounded(Math.max(...ms)),
  ]
}

/** How many orders' first event never comes. */
async function missingEvents(orderIds: readonly string[]): Promise<number> {
  const left = () => orderIds.filter((id) => !receiver.of(id).some(({ event }) => event === 'order.created')).length
  await eventually(() => left() === 0, { timeoutMs: 60_000 }).catch(() => {})
  return left()
}

console.log(platform())
console.log(table(['replaced', 'seconds', 'requests', 'failed', 'p50 ms', 'p99 ms', 'longest ms'], rows))
console.log(`${load.orderIds.length} orders were accepted; of ${missing} no event arrived`)
process.exitCode = rows.some(([, , , failed]) => failed !== 0) || missing > 0 ? 1 : 0
