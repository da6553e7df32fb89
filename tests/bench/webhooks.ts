import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { mesh } from '@svc/testing'
import { Api, orderBody } from '../journeys/merchant.ts'
import { mintKeys } from './keys.ts'
import { loadOrders } from './load.ts'
import { median, percentile, platform, rounded, table } from './report.ts'

/**
 * Time from the answer to an order until its webhook arrives on an idle mesh, and deliveries per second while a
 * backlog drains to one fast receiver.
 *
 *   node --conditions=source tests/bench/webhooks.ts [idle orders] [seconds of load]
 */
const idleOrders = Number(process.argv[2] ?? 200)
const seconds = Number(process.argv[3] ?? 10)

const arrivals = new Map<string, number>()
let received = 0
let last = 0
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    response.end()
    last = performance.now()
    received++
    if (watched) arrivals.set(JSON.parse(Buffer.concat(chunks).toString()).order.id, last)
  })
})
let watched = true
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const address = receiver.address() as { port: number }

const system = await mesh({ spans: false })
try {
  const tokens = await mintKeys(system, 300, { isTest: false, webhookUrl: `http://127.0.0.1:${address.port}/hooks` })
  const latencies: number[] = []
  for (let i = 0; i < idleOrders; i++) {
    const api = new Api(system.baseUrl).bearing(tokens[i % tokens.length] ?? '')
    const created = await api.post('/v1/orders', orderBody())
    const answered = performance.now()
    const id = created.body.order.id
    while (!arrivals.has(id)) await wait(1)
    latencies.push((arrivals.get(id) ?? 0) - answered)
    await wait(20)
  }

  watched = false
  const before = received
  const started = performance.now()
  const load = await loadOrders({ url: system.baseUrl, connections: 50, seconds, tokens })
  const atEndOfLoad = received - before
  const loadEnded = performance.now()
  while (received - before < load.accepted) {
    if (performance.now() - last > 60_000)
      throw new Error(`${load.accepted - (received - before)} deliveries are missing`)
    await wait(20)
  }
  console.log(platform())
  console.log(
    table(
      ['figure', 'value'],
      [
        ['idle: order answered → webhook received, p50 ms', rounded(median(latencies), 1)],
        ['idle: p99 ms', rounded(percentile(latencies, 0.99), 1)],
        ['orders/s while webhooks are delivered', rounded(load.perSecond)],
        ['deliveries/s during the load', rounded((atEndOfLoad * 1000) / (loadEnded - started))],
        [
          'deliveries/s while only the backlog drains',
          rounded(((load.accepted - atEndOfLoad) * 1000) / Math.max(1, last - loadEnded)),
        ],
        ['webhooks for accepted orders', `${received - before} for ${load.accepted}`],
      ],
    ),
  )
} finally {
  await system.stop()
  receiver.closeAllConnections()
  receiver.close()
}
