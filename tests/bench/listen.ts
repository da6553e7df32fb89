import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DeliveryDispatch, type EnvelopeOrder, verifyWebhook } from '@delivery-dispatch/sdk'
import { eventually, mesh, receiver } from '@svc/testing'
import { answered, signUp } from '../journeys/merchant.ts'
import { median, percentile, platform, rounded, table } from './report.ts'

/**
 * `dispatch listen` while a merchant's orders make a thousand events a minute: how many reach the receiver, in which order and how
 * late, when it is killed in the middle of an event and started again. Ends with 1 where an event is lost, or out of the order of
 * its order, or more than the one that was on its way comes again.
 *
 *   node --conditions=source tests/bench/listen.ts [seconds] [events a minute] [kills]
 */
const seconds = Number(process.argv[2] ?? 60)
const perMinute = Number(process.argv[3] ?? 1_000)
const kills = Number(process.argv[4] ?? 3)

/** What an order that is carried to its end makes: four calls, seven events. */
const EVENTS_OF_ORDER = 7
/** A test key may be used 60 times a minute; `listen` has one to itself. */
const PRODUCERS = Math.ceil((perMinute / EVENTS_OF_ORDER) * (4 / 50))

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'listen-'))
const program = join(folder, 'dispatch.mjs')
execFileSync(process.execPath, [join(root, 'cli/build.mjs'), program], { stdio: 'inherit' })
const env = { PATH: process.env['PATH'], DISPATCH_CONFIG_DIR: folder, DISPATCH_KEYRING: 'off' }

interface Arrival {
  eventId: string
  orderId: string
  sequence: number
  delayMs: number
}
const arrivals: Arrival[] = []
const orders = Math.round((seconds * perMinute) / 60 / EVENTS_OF_ORDER)
const expected = orders * EVENTS_OF_ORDER
const killAt = new Set(Array.from({ length: kills }, (_, index) => Math.round(((index + 1) * expected) / (kills + 1))))

let listening: ChildProcess
let secret = ''
const endpoint = await receiver({
  async respond({ body, headers }) {
    const event = await verifyWebhook(new Uint8Array(body), headers, { secret })
    const { id } = event['order'] as EnvelopeOrder
    const delayMs = Date.now() - Date.parse(event.occurred_at)
    arrivals.push({ eventId: event.event_id, orderId: id, sequence: event['sequence'] as number, delayMs })
    // It is gone before it hears of the answer: the event is on its way, and may come once more.
    if (killAt.delete(arrivals.length)) {
      listening.kill('SIGKILL')
      await once(listening, 'close')
      listening = await listen()
    }
    return {}
  },
})

/** Resolves once it has looked where it begins. */
async function listen(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, 'listen', '--forward-to', endpoint.url, '--json'], { env })
  child.stdout.resume()
  let said = ''
  child.stderr.on('data', (data) => (said += String(data)))
  await eventually(() => /Signed with \S+\n/.test(said))
  secret = /Signed with (\S+)/.exec(said)![1]!
  return child
}

const system = await mesh({ spans: false })
try {
  const { owner, test } = await signUp(system.baseUrl)
  const key = test.headers['authorization']!.slice('Bearer '.length)
  const { status } = spawnSync(process.execPath, [program, 'login', '--base-url', system.baseUrl], { env, input: key })
  if (status !== 0) throw new Error('the log-in failed')
  const producers: DeliveryDispatch[] = []
  for (let index = 0; index < PRODUCERS; index++) {
    const made = answered(201, await owner.post('/v1/me/api-keys', { label: `producer ${index}`, is_test: true }))
    producers.push(new DeliveryDispatch({ baseUrl: system.baseUrl, credential: made.body.api_key }))
  }
  listening = await listen()

  async function carry(dispatch: DeliveryDispatch, index: number): Promise<void> {
    const { order_id } = await dispatch.createSimulatorOrder({
      external_order_id: `listen-${index}`,
      pickup_address: '12 Marina Road, Lagos',
      dropoff_address: '4 Admiralty Way, Lekki',
      customer_phone: '+2348012345678',
    })
    for (const action of ['accept', 'pickup', 'deliver'] as const)
      await dispatch.simulateRiderAction({ order_id, action })
  }
  const startedAt = performance.now()
  const carried: Promise<void>[] = []
  for (let index = 0; index < orders; index++) {
    const due = startedAt + (index * seconds * 1000) / orders
    await wait(Math.max(0, due - performance.now()))
    carried.push(carry(producers[index % producers.length]!, index))
  }
  await Promise.all(carried)
  const minutes = (performance.now() - startedAt) / 60_000
  const distinct = () => new Set(arrivals.map(({ eventId }) => eventId)).size
  const lastArrived = await eventually(() => distinct() >= expected, { timeoutMs: 120_000 }).then(
    () => performance.now() - startedAt,
    () => undefined,
  )
  listening.kill('SIGTERM')

  const firsts = new Map(arrivals.toReversed().map((arrival) => [arrival.eventId, arrival]))
  const inOrder = arrivals.filter((arrival) => firsts.get(arrival.eventId) === arrival)
  const disordered = [...Map.groupBy(inOrder, ({ orderId }) => orderId).values()].filter((ofOrder) =>
    ofOrder.some(({ sequence }, index) => sequence !== index + 1),
  )
  const lost = expected - distinct()
  const repeated = arrivals.length - distinct()
  const delays = inOrder.map(({ delayMs }) => delayMs)
  console.log(platform())
  console.log(
    table(
      ['figure', 'value'],
      [
        ['events made', `${expected} of ${orders} orders, ${rounded(expected / minutes)} a minute`],
        ['events that reached the receiver', distinct()],
        ['killed (SIGKILL) with an event on its way', kills],
        ['events that came twice', repeated],
        ['orders whose events came in another order', disordered.length],
        ['event → receiver, p50 and p99 ms', `${rounded(median(delays))}, ${rounded(percentile(delays, 0.99))}`],
        ['last one, s after the last order', lastArrived ? rounded(lastArrived / 1000 - minutes * 60, 1) : 'never'],
      ],
    ),
  )
  if (lost > 0 || disordered.length > 0 || repeated > kills || killAt.size > 0) process.exitCode = 1
} finally {
  await system.stop()
  await endpoint.close()
  rmSync(folder, { recursive: true })
}
