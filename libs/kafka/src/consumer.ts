import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '@svc/logging'
import type { Admin, Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import { type ClientOptions, createClient } from './client.ts'
import { inConsumerSpan } from './consumer-span.ts'
import type { FactMessage } from './fact-message.ts'

const logger = createLogger('kafka-consumer')
const RECONNECT_MS = 1_000

/** How the handler of a batch reports back. */
export interface PartitionWork {
  /** The fact and all before it are done: they are not delivered again. */
  done(fact: FactMessage): Promise<void>
  /** Keeps the membership alive; to be called at least every few seconds. Throws when the partition was taken away. */
  alive: () => Promise<void>
  /** False once the rest of the batch belongs to somebody else or the consumer stops: leave it. */
  isCurrent(): boolean
}

interface ConsumerOptions extends ClientOptions {
  group: string
  topics: string[]
  /** Facts one by one, in the order of their partition. */
  onMessage?(fact: FactMessage): Promise<void>
  /** Or as they are fetched: the facts of one partition, in order, at most a few hundred. */
  onBatch?(facts: FactMessage[], work: PartitionWork): Promise<void>
  /** Partitions handled at the same time. */
  concurrency?: number
}

export interface KafkaConsumer {
  name: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Facts that the group has not finished yet. */
  lag: () => Promise<number>
  /** When the broker last answered, in milliseconds of Date.now(); 0 before the first time. */
  lastPollAt: () => number
}

/**
 * Delivers every fact of the topics at least once to the group, per partition in order, from the oldest on. A fact
 * whose handler throws is delivered again. Waits in the background while Kafka or a topic is not there.
 */
export function kafkaConsumer(options: ConsumerOptions): KafkaConsumer {
  const client = createClient(options)
  const lag = lagReader(() => client.admin(), options)
  const stopping = new AbortController()
  let consumer: Consumer | undefined
  let running: Promise<void> = Promise.resolve()
  let lastPollAt = 0

  async function connect(): Promise<void> {
    const fresh = client.consumer({
      groupId: options.group,
      allowAutoTopicCreation: false,
      // For so long the partitions of a consumer that was killed wait.
      sessionTimeout: 10_000,
      rebalanceTimeout: 60_000,
      heartbeatInterval: 3_000,
      maxWaitTimeInMs: 1_000,
      maxBytesPerPartition: 1024 * 1024,
      retry: { initialRetryTime: 200, maxRetryTime: 5_000, retries: 5 },
    })
    consumer = fresh
    fresh.on(fresh.events.FETCH, () => {
      lastPollAt = Date.now()
    })
    fresh.on(fresh.events.CRASH, ({ payload }) => {
      if (!payload.restart) crash(payload.error)
    })
    await fresh.connect()
    await fresh.subscribe({ topics: options.topics, fromBeginning: true })
    const run = uninstrumented(fresh)
    await run({
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: options.concurrency ?? 4,
      eachBatch: (payload) => deliver(options, payload),
    })
  }

  async function connectUntilItWorks(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        return await connect()
      } catch (err) {
        logger.warn({ err, group: options.group, topics: options.topics }, 'cannot consume yet')
        await consumer?.disconnect().catch(() => undefined)
        await delay(RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  return {
    name: `kafka-consumer ${options.group}`,
    async start() {
      running = connectUntilItWorks()
    },
    async stop() {
      stopping.abort()
      await running
      await consumer?.disconnect()
      await lag.close()
    },
    lag: () => lag.read(),
    lastPollAt: () => lastPollAt,
  }
}

/** The instrumentation of batches starts a trace of its own; consumerSpan continues the trace of each fact instead. */
function uninstrumented(consumer: Consumer): Consumer['run'] {
  const { run } = consumer as unknown as { run: Consumer['run'] & { __original?: Consumer['run'] } }
  return run.__original ?? run
}

async function deliver(options: ConsumerOptions, payload: EachBatchPayload): Promise<void> {
  const { batch } = payload
  const work: PartitionWork = {
    isCurrent: () => payload.isRunning() && !payload.isStale(),
    alive: () => payload.heartbeat(),
    async done(fact) {
      payload.resolveOffset(fact.offset!)
      await payload.heartbeat()
    },
  }
  const facts = batch.messages.map((message) => toFact(batch.topic, batch.partition, message))
  if (options.onBatch) return options.onBatch(facts, work)
  for (const fact of facts) {
    if (!work.isCurrent()) return
    await inConsumerSpan(fact, async () => options.onMessage?.(fact))
    await work.done(fact)
  }
}

function toFact(topic: string, partition: number, { key, value, headers = {}, offset }: KafkaMessage): FactMessage {
  const text: Record<string, string> = {}
  for (const [name, content] of Object.entries(headers)) {
    const first = Array.isArray(content) ? content[0] : content
    if (first !== undefined) text[name] = first.toString()
  }
  return { topic, partition, offset, key: key?.toString() ?? '', payload: value ?? Buffer.alloc(0), headers: text }
}

/** The process cannot consume any more: end it, so that a fresh one takes over. */
function crash(error: Error): void {
  logger.fatal({ err: error }, 'the consumer cannot go on')
  setImmediate(() => {
    throw error
  })
}

function lagReader(createAdmin: () => Admin, { group, topics }: ConsumerOptions) {
  let connected: Promise<Admin> | undefined

  async function connect(): Promise<Admin> {
    const admin = createAdmin()
    await admin.connect()
    return admin
  }

  return {
    async read(): Promise<number> {
      connected ??= connect()
      try {
        const admin = await connected
        const committed = await admin.fetchOffsets({ groupId: group, topics })
        const lags = await Promise.all(
          committed.map(async ({ topic, partitions }) => {
            const ends = await admin.fetchTopicOffsets(topic)
            return ends.reduce((sum, { partition, high, low }) => {
              const known = Number(partitions.find((item) => item.partition === partition)?.offset ?? -1)
              return sum + Number(high) - Math.max(known, Number(low))
            }, 0)
          }),
        )
        return lags.reduce((sum, lag) => sum + lag, 0)
      } catch (error) {
        connected = undefined
        throw error
      }
    },
    async close(): Promise<void> {
      await connected?.then((admin) => admin.disconnect()).catch(() => undefined)
    },
  }
}
