import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually, mesh } from '@svc/testing'
import autocannon from 'autocannon'
import pg from 'pg'
import { Api, answered, signUp } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'
import { startBareHooks } from './bare-hooks.ts'
import { type CpuMs, cpuMs, perOperation, total } from './cpu.ts'
import { approve } from './keys.ts'
import { median, percentile, platform, rounded, table } from './report.ts'

/**
 * Hooks of a storefront that are accepted per second, next to one express process that inserts the same bytes, in turns within
 * one run: with the order service frozen, so that nothing is made of them meanwhile, after which it goes on and what waits is
 * made into orders; and made into orders as they come. Then on an idle mesh the time from the answer until order.created is on Kafka.
 *
 *   node --conditions=source tests/bench/hooks.ts [seconds per turn] [rounds] [clients] [idle hooks]
 */
const [seconds = 8, rounds = 3, connections = 20, idleHooks = 100] = process.argv.slice(2).map(Number)
const secret = `secret-${randomUUID()}`
const domain = `${randomUUID()}.example.com`

const system = await mesh({
  ownServers: true,
  durable: true,
  spans: false,
  environment: { RATE_HOOKS_PER_MINUTE: '10000000' },
})
const bare = await startBareHooks(system)
const ingestion = new pg.Pool({ connectionString: system.databaseUrls['ingestion']?.worker, max: 1 })
const orders = new pg.Pool({ connectionString: system.databaseUrls['order']?.worker, max: 1 })

/** An order as the storefront tells of it, about as long as a short one is. */
function hook() {
  const externalId = randomUUID()
  const body = JSON.stringify({
    id: externalId,
    financial_status: 'paid',
    updated_at: new Date().toISOString(),
    currency: 'NGN',
    line_items: Array.from({ length: 8 }, (_, i) => ({
      title: `Dish ${i}`,
      quantity: 1,
      price: '1500.00',
      grams: 300,
    })),
    shipping_address: { address1: '4 Admiralty Way', city: 'Lekki', country_code: 'NG', phone: '+2348031234567' },
    note: 'n'.repeat(1_500),
  })
  const headers = {
    'content-type': 'application/json',
    'x-storefront-a-shop-domain': domain,
    'x-storefront-a-topic': 'orders/create',
    'x-storefront-a-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
  }
  return { externalId, body, headers }
}

async function load(url: string) {
  const before = cpuMs(system)
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path: '/webhooks/storefront-a',
        setupRequest: (request) => {
          const { body, headers } = hook()
          return { ...request, body, headers }
        },
      },
    ],
  })
  const refused = result.non2xx + result.errors
  if (refused > 0) throw new Error(`${refused} of ${url} were refused; the run says nothing`)
  const cpu = perOperation(before, cpuMs(system), result['2xx'])
  return { accepted: result['2xx'], perSecond: result['2xx'] / result.duration, p99Ms: result.latency.p99, cpu }
}

type Turn = Awaited<ReturnType<typeof load>>

/** Of hooks that nothing is made of while they come: how they are accepted, and how many orders a second are made of them then. */
async function accepted(): Promise<Turn & { drainedPerSecond: number }> {
  await system.kill('order', 'SIGSTOP')
  let turn: Turn
  try {
    turn = await load(system.baseUrl)
  } finally {
    await system.kill('order', 'SIGCONT')
  }
  const began = performance.now()
  await drained()
  return { ...turn, drainedPerSecond: turn.accepted / ((performance.now() - began) / 1_000) }
}

/** Until all that came is made: what is left of a turn is none of the next one's. */
const drained = () =>
  eventually(
    async () => {
      const { rows } = await ingestion.query(`SELECT FROM normalization_jobs WHERE status = 'pending' LIMIT 1`)
      return rows.length === 0
    },
    { timeoutMs: 600_000, intervalMs: 250 },
  )

/** By process, and of all but the load. */
function spelt(turns: readonly CpuMs[]): string {
  const names = Object.keys(turns[0] ?? {})
  const mid = Object.fromEntries(names.map((name) => [name, median(turns.map((turn) => turn[name] ?? 0))]))
  const parts = names
    .toSorted((a, b) => (mid[b] ?? 0) - (mid[a] ?? 0))
    .map((name) => `${name} ${rounded(mid[name] ?? 0, 2)}`)
  return `${rounded(total(mid), 2)} (${parts.join(', ')})`
}

/** Milliseconds from the answer to a hook until the fact of its order was acknowledged by Kafka. */
async function untilAnnounced(): Promise<number> {
  const { externalId, body, headers } = hook()
  answered(200, await new Api(system.baseUrl).send('POST', '/webhooks/storefront-a', body, headers))
  const answeredAt = Date.now()
  const announcedAt = await eventually(
    async () => {
      const { rows } = await orders.query<{ at: number }>(
        `SELECT extract(epoch FROM published_at)::float8 * 1000 AS at FROM outbox
          WHERE type = 'order.created' AND published_at IS NOT NULL
            AND aggregate_id = (SELECT id FROM orders WHERE source = 'storefront-a' AND external_order_id = $1)`,
        [externalId],
      )
      return rows[0]?.at ?? false
    },
    { timeoutMs: 60_000, intervalMs: 10 },
  )
  return announcedAt - answeredAt
}

try {
  const merchant = await signUp(system.baseUrl)
  const { owner } = merchant
  await approve(system, merchant)
  await topUp(system, owner, 1_000_000_000)
  const settings = { secret, shop_domain: domain, pickup: { address: '12 Marina Road, Lagos' } }
  await eventually(async () => answered(200, await owner.send('PUT', '/v1/me/ingestion/storefront-a', settings)))
  await eventually(async () => {
    const { body, headers } = hook()
    answered(200, await new Api(system.baseUrl).send('POST', '/webhooks/storefront-a', body, headers))
  })

  await drained()
  const { rows: unmade } = await ingestion.query(
    `SELECT status, error, field FROM normalization_jobs WHERE status <> 'succeeded'`,
  )
  if (unmade.length > 0) throw new Error(`a hook came to no order: ${JSON.stringify(unmade)}`)
  for (const { url } of [{ url: system.baseUrl }, bare]) await load(url)
  const measured: Array<{ alone: Awaited<ReturnType<typeof accepted>>; made: Turn; bare: Turn }> = []
  for (let round = 0; round < rounds; round++) {
    await drained()
    const alone = await accepted()
    const made = await load(system.baseUrl)
    await drained()
    measured.push({ alone, made, bare: await load(bare.url) })
  }
  await drained()
  const waits: number[] = []
  for (let i = 0; i < idleHooks; i++) {
    waits.push(await untilAnnounced())
    await wait(50)
  }

  const sides = measured[0] ? (['alone', 'made'] as const) : []
  const of = (side: 'alone' | 'made' | 'bare', key: 'perSecond' | 'p99Ms') =>
    rounded(median(measured.map((one) => one[side][key])))
  console.log(platform())
  console.log(
    table(
      [`${connections} clients`, 'hooks/s', 'p99 ms', 'express + insert/s', 'its p99 ms', 'ratio (median of pairs)'],
      sides.map((side) => [
        side === 'alone' ? 'accepted, nothing made of them yet' : 'accepted, and made into orders meanwhile',
        of(side, 'perSecond'),
        of(side, 'p99Ms'),
        of('bare', 'perSecond'),
        of('bare', 'p99Ms'),
        rounded(median(measured.map((one) => one[side].perSecond / one.bare.perSecond)), 2),
      ]),
    ),
  )
  console.log(
    `orders made a second of what waited: ${rounded(median(measured.map(({ alone }) => alone.drainedPerSecond)))}`,
  )
  for (const side of sides) console.log(`CPU ms a hook, ${side}: ${spelt(measured.map((one) => one[side].cpu))}`)
  console.log(
    table(
      ['idle: answered → order.created on Kafka', 'ms'],
      [
        ['p50', rounded(median(waits), 1)],
        ['p99', rounded(percentile(waits, 0.99), 1)],
      ],
    ),
  )
} finally {
  bare.stop()
  await ingestion.end()
  await orders.end()
  await system.stop()
}
