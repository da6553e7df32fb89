import { setTimeout as delay } from 'node:timers/promises'
import { type Database, wakeChannel } from '@svc/database'
import { type KafkaProducer, TooLargeError } from '@svc/kafka'
import { repeatedly, sweeper, type Worker, worker } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import { SHARDS } from '@svc/transact'
import { MACHINERY } from './machinery.ts'
import { observeOutbox } from './observe-outbox.ts'
import { markParked, markPublished, type OutboxRow, type PendingFacts, readPending, toMessage } from './outbox-rows.ts'
import { type ShardLeases, shardLeases } from './shard-leases.ts'

const logger = createLogger('outbox-relay')

const POLL_MS = 1_000
const KEEP_LEASES_MS = 5_000
/** Facts that come right after a pass are collected for so long: fewer, larger requests under load. */
const LINGER_MS = 50
/** Of what was read: with facts of a usual size about one request to Kafka. */
const PART = 500
const BACKOFF_MS = { first: 100, last: 5_000 }
const LAST_PASS_MS = 5_000

interface RelayOptions {
  database: Database
  producer: Pick<KafkaProducer, 'send'>
  /** With its prefix. */
  topic: string
  /** CloudEvents source: the service. */
  source: string
  /** Stable name of this replica; a restarted replica takes over from itself at once. */
  instance: string
  /** Between two looks for what is past its time in the tables of facts. */
  sweepIntervalMs: number
}

/**
 * Publishes every committed fact at least once, per aggregate in the order of commits, with one relay per shard at a
 * time. Kafka's absence delays facts and loses none. stop() publishes what is there and hands the shards over.
 */
export function outboxRelay(options: RelayOptions): Worker {
  const { worker: pool } = options.database
  const leases = shardLeases(pool, options.instance)
  const pass = publisher(options, leases)
  const publishing = worker({
    name: 'outbox-relay',
    pollMs: POLL_MS,
    failed: 'publishing failed; the facts stay in the outbox',
    retryInMs: backoffMs,
    async work() {
      const { published, isLast } = await pass()
      if (isLast && published > 0) await delay(LINGER_MS)
      return !isLast || published > 0
    },
  })
  const channel = wakeChannel(pool, 'outbox_wake', publishing.wake)
  const keeping = repeatedly({ name: 'outbox-leases', everyMs: KEEP_LEASES_MS, work: keep })
  const sweeping = sweeper({
    name: 'outbox-sweep',
    service: options.source,
    worker: pool,
    everyMs: options.sweepIntervalMs,
    expiries: MACHINERY,
  })
  let stopObserving = () => {}

  async function keep(): Promise<void> {
    await leases.keep()
    await channel.listen()
  }

  return {
    name: publishing.name,
    async start() {
      stopObserving = observeOutbox(pool, options)
      // Shards first: a pass without any would sleep. A failure comes again, and into the log, with the chore.
      await keep().catch(() => undefined)
      await keeping.start()
      await sweeping.start()
      await publishing.start()
    },
    async stop() {
      await publishing.stop()
      await Promise.all([keeping.stop(), sweeping.stop()])
      await lastPass(pass)
      channel.close()
      stopObserving()
      await leases.release().catch((err: unknown) => logger.warn({ err }, 'the shards could not be handed over'))
    },
    wake() {
      publishing.wake()
      // The holder of every shard has no other process to tell.
      if (leases.held().size < SHARDS) channel.notify()
    },
  }
}

interface Pass {
  published: number
  isLast: boolean
}

interface Page extends PendingFacts {
  /** Of the shards whose facts it holds. */
  epochs: ReadonlyMap<number, number>
}

/** Passes, each of a page; while it is sent the next one is read, which is used only where all of this one has left. */
function publisher(options: RelayOptions, leases: ShardLeases): () => Promise<Pass> {
  const { worker: pool } = options.database
  let ahead: Promise<Page> | undefined

  async function read(underWay: readonly OutboxRow[] = []): Promise<Page> {
    const epochs = leases.held()
    if (epochs.size === 0) return { rows: [], isLast: true, epochs }
    return { ...(await readPending(pool, [...epochs.keys()], underWay)), epochs }
  }

  return async () => {
    const reading = ahead ?? read()
    ahead = undefined
    const page = await reading
    const next = page.isLast ? undefined : read(page.rows)
    // The pass that waits for it hears of a failure.
    next?.catch(() => undefined)
    const published = await publish(options, leases, page)
    if (published < page.rows.length) {
      await leases.keep()
      return { published, isLast: false }
    }
    ahead = next
    return { published, isLast: page.isLast }
  }
}

/** Part after part is sent, and recorded as published while the next one is under way. Returns how many are recorded. */
async function publish(options: RelayOptions, leases: ShardLeases, { rows, epochs }: Page): Promise<number> {
  const { producer, topic, source } = options
  let recording = Promise.resolve(0)
  let published = 0
  let sent = 0
  // Of a large backlog the later parts leave long after the page was read.
  while (sent < rows.length && isHeld(leases, epochs)) {
    const part = rows.slice(sent, sent + PART)
    const sending = producer.send(part.map((row) => toMessage(row, topic, source, epochs.get(row.shard)!)))
    const [sentPart, recorded] = await Promise.allSettled([sending, recording])
    if (recorded.status === 'rejected') throw recorded.reason
    published += recorded.value
    recording = Promise.resolve(0)
    if (sentPart.status === 'rejected') {
      if (!(sentPart.reason instanceof TooLargeError)) throw sentPart.reason
      // What was sent with it is sent again in the next pass: at least once, in order.
      await park(options, epochs, sentPart.reason)
      return published
    }
    sent += part.length
    recording = recordPublished(options, epochs, part)
  }
  return published + (await recording)
}

/** Whether nobody has held a shard of them meanwhile. */
function isHeld(leases: ShardLeases, epochs: ReadonlyMap<number, number>): boolean {
  const held = leases.held()
  return [...epochs].every(([shard, epoch]) => held.get(shard) === epoch)
}

async function recordPublished(
  { database, instance, source }: RelayOptions,
  epochs: ReadonlyMap<number, number>,
  rows: readonly OutboxRow[],
): Promise<number> {
  const published = await markPublished(
    database.worker,
    instance,
    epochs,
    rows.map((row) => row.event_id),
  )
  metrics.counter('outbox_published_total', 'Facts that Kafka has acknowledged').add(published, { source })
  return published
}

async function park(options: RelayOptions, epochs: ReadonlyMap<number, number>, error: TooLargeError): Promise<void> {
  const { database, instance, source, topic } = options
  const eventId = error.fact.headers['ce_id']!
  logger.error({ err: error, event_id: eventId, alert: 'outbox_parked' }, 'Kafka refuses a fact for good; it is parked')
  const parked = await markParked(database.worker, instance, epochs, [eventId])
  metrics.counter('outbox_parked_total', 'Facts that Kafka has refused for good').add(parked, { source, topic })
}

async function lastPass(pass: () => Promise<Pass>): Promise<void> {
  const giveUpAt = performance.now() + LAST_PASS_MS
  try {
    while (performance.now() < giveUpAt && !(await pass()).isLast);
  } catch (err) {
    logger.warn({ err }, 'the last facts stay in the outbox for the next relay')
  }
}

function backoffMs(failures: number): number {
  const ceiling = Math.min(BACKOFF_MS.first * 2 ** (failures - 1), BACKOFF_MS.last)
  return ceiling * (0.5 + Math.random() / 2)
}
