import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@svc/database'
import { type KafkaProducer, TooLargeError } from '@svc/kafka'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import { observeOutbox } from './observe-outbox.ts'
import { markParked, markPublished, readPending, toMessage } from './outbox-rows.ts'
import { SHARDS } from './shard.ts'
import { type ShardLeases, shardLeases } from './shard-leases.ts'
import { sweep } from './sweep.ts'
import { wakeChannel } from './wake-channel.ts'
import { wakeSignal } from './wake-signal.ts'

const logger = createLogger('outbox-relay')

const POLL_MS = 1_000
const KEEP_LEASES_MS = 5_000
const SWEEP_MS = 600_000
/** Facts that come right after a pass are collected for so long: fewer, larger requests under load. */
const LINGER_MS = 50
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
}

export interface OutboxRelay {
  name: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Facts were committed: publish them now. */
  wake(): void
}

/**
 * Publishes every committed fact at least once, per aggregate in the order of commits, with one relay per shard at a
 * time. Kafka's absence delays facts and loses none. stop() publishes what is there and hands the shards over.
 */
export function outboxRelay(options: RelayOptions): OutboxRelay {
  const { worker } = options.database
  const leases = shardLeases(worker, options.instance)
  const signal = wakeSignal()
  const channel = wakeChannel(worker, signal.wake)
  const pass = () => publishPending(options, leases)
  const timers: NodeJS.Timeout[] = []
  let stopObserving = () => {}
  let isStopping = false
  let running: Promise<void> = Promise.resolve()

  async function keep(): Promise<void> {
    try {
      await leases.keep()
      // Whoever holds every shard has nobody to listen to.
      if (leases.held().size < SHARDS) await channel.listen()
    } catch (err) {
      logger.warn({ err }, 'the leases of the outbox cannot be kept')
    }
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!isStopping) {
      try {
        const { published, isLast } = await pass()
        failures = 0
        if (isLast) await (published > 0 ? delay(LINGER_MS) : signal.sleep(POLL_MS))
      } catch (err) {
        failures += 1
        logger.warn({ err, failures }, 'publishing failed; the facts stay in the outbox')
        await signal.sleep(backoffMs(failures))
      }
    }
  }

  return {
    name: 'outbox-relay',
    async start() {
      stopObserving = observeOutbox(worker, options)
      await keep()
      timers.push(
        setInterval(() => void keep(), KEEP_LEASES_MS),
        setInterval(() => void sweep(worker), SWEEP_MS),
      )
      running = run()
    },
    async stop() {
      isStopping = true
      signal.wake()
      await running
      for (const timer of timers) clearInterval(timer)
      await lastPass(pass)
      channel.close()
      stopObserving()
      await leases.release().catch((err: unknown) => logger.warn({ err }, 'the shards could not be handed over'))
    },
    wake() {
      signal.wake()
      if (leases.held().size < SHARDS) channel.notify()
    },
  }
}

interface Pass {
  published: number
  isLast: boolean
}

/** One read, one send, one update. */
async function publishPending(options: RelayOptions, leases: ShardLeases): Promise<Pass> {
  const { database, producer, instance, topic, source } = options
  const epochs = leases.held()
  if (epochs.size === 0) return { published: 0, isLast: true }
  const { rows, isLast } = await readPending(database.worker, [...epochs.keys()])
  if (rows.length === 0) return { published: 0, isLast }
  try {
    await producer.send(rows.map((row) => toMessage(row, topic, source, epochs.get(row.shard)!)))
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error
    // What was sent with it is sent again in the next pass: at least once, in order.
    await park(options, epochs, error)
    return { published: 0, isLast: false }
  }
  const published = await markPublished(
    database.worker,
    instance,
    epochs,
    rows.map((row) => row.event_id),
  )
  if (published < rows.length) await leases.keep()
  metrics.counter('outbox_published_total', 'Facts that Kafka has acknowledged').add(published, { source })
  return { published, isLast }
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
