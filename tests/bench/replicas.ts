import { setTimeout as wait } from 'node:timers/promises'
import { eventually, mesh } from '@svc/testing'
import pg from 'pg'
import { Api, answered, orderBody, signUp } from '../journeys/merchant.ts'
import { percentile, platform, rounded, table } from './report.ts'

/**
 * Time from the commit of an order until a consumer has its fact, with two replicas of every service, by the gateway that
 * took it; either calls both replicas of the order service. Ends with 1 where the median is 20 ms or more.
 * Run nothing beside it.
 *
 *   node --conditions=source tests/bench/replicas.ts [orders]
 */
const orders = Number(process.argv[2] ?? 200)
const LONGEST_P50_MS = 20

const system = await mesh({
  ownServers: true,
  spans: false,
  replicas: 2,
  environment: { RATE_TEST_KEY_PER_MINUTE: '100000' },
})
const pool = (service: string) => new pg.Pool({ connectionString: system.databaseUrls[service]?.worker, max: 1 })
const [announced, taken] = [pool('order'), pool('webhook')]
try {
  const { test } = await signUp(system.baseUrl)
  const gateways = system.baseUrls.map((url) => new Api(url, test.headers))
  const facts = gateways.map(() => new Map<string, number>())
  for (let turn = 0; turn < orders; turn++) {
    const index = turn % gateways.length
    const { body } = answered(201, await (gateways[index] as Api).post('/v1/orders', orderBody()))
    // Both clocks are that of the one Postgres; the fact's is read just before its commit.
    const { rows } = await announced.query(
      `SELECT event_id, extract(epoch FROM created_at) * 1000 AS ms FROM outbox WHERE aggregate_id = $1`,
      [body.order.id],
    )
    facts[index]?.set(rows[0].event_id, Number(rows[0].ms))
    // A relay that has just sent gathers what follows for 50 ms: this measures facts that come alone.
    await wait(120)
  }
  const latencies = await Promise.all(
    facts.map((sent) =>
      eventually(
        async () => {
          const { rows } = await taken.query(
            `SELECT event_id, extract(epoch FROM received_at) * 1000 AS ms FROM inbox
              WHERE consumer = 'event-log' AND event_id = ANY ($1)`,
            [[...sent.keys()]],
          )
          return rows.length === sent.size && rows.map(({ event_id, ms }) => Number(ms) - (sent.get(event_id) ?? 0))
        },
        { timeoutMs: 30_000 },
      ),
    ),
  )
  const p50s = latencies.map((values) => percentile(values, 0.5))
  console.log(platform())
  console.log(
    table(
      ['orders through', 'commit → consumer p50 ms', 'p90 ms', 'p99 ms'],
      latencies.map((values, index) => [
        `gateway ${index + 1}`,
        ...[0.5, 0.9, 0.99].map((share) => rounded(percentile(values, share), 1)),
      ]),
    ),
  )
  process.exitCode = p50s.every((p50) => p50 < LONGEST_P50_MS) ? 0 : 1
} finally {
  await announced.end()
  await taken.end()
  await system.stop()
}
