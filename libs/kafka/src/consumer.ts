import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '@svc/logging'
import { inConsumerSpan } from './consumer-span.ts'
import { type DriverOptions, kafkaDriver, type PartitionWork } from './driver.ts'
import type { FactMessage } from './fact-message.ts'
import { lagReader } from './lag-reader.ts'

const logger = createLogger('kafka-consumer')
const RECONNECT_MS = 1_000

interface ConsumerOptions extends DriverOptions {
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
 * whose handler throws is delivered again. Waits in the background while Kafka, a topic or the group's coordinator is not
 * there, and joins again whenever the group is lost.
 */
export function kafkaConsumer(options: ConsumerOptions): KafkaConsumer {
  const { group, topics, concurrency = 4 } = options
  const driver = kafkaDriver(options)
  const lag = lagReader(driver, options)
  const turns = partitionTurns()
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let lastPollAt = 0

  /** Ends when the consumer stops; throws when the group is lost or cannot be joined. */
  async function beMember(): Promise<void> {
    const ended = Promise.withResolvers<Error | undefined>()
    const leave = () => ended.resolve(undefined)
    stopping.signal.addEventListener('abort', leave)
    try {
      const membership = await driver.consumer({
        group,
        topics,
        concurrency,
        onBatch: (facts, work) => turns.take(facts, () => deliver(options, facts, work)),
        onLost: (error) => (isFaultOfCode(error) ? crash(error) : ended.resolve(error)),
        onPoll() {
          lastPollAt = Date.now()
        },
      })
      const reason = await ended.promise
      await membership.close()
      if (reason) throw reason
    } finally {
      stopping.signal.removeEventListener('abort', leave)
    }
  }

  async function beMemberUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await beMember()
      } catch (err) {
        logger.warn({ err, group, topics }, 'cannot consume; joins the group again')
        await delay(RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  return {
    name: `kafka-consumer ${group}`,
    async start() {
      running = beMemberUntilStopped()
    },
    async stop() {
      stopping.abort()
      await running
      await turns.over()
      await lag.close()
    },
    lag: () => lag.read(),
    lastPollAt: () => lastPollAt,
  }
}

async function deliver(options: ConsumerOptions, facts: FactMessage[], work: PartitionWork): Promise<void> {
  if (options.onBatch) return options.onBatch(facts, work)
  for (const fact of facts) {
    if (!work.isCurrent()) return
    await inConsumerSpan(fact, async () => options.onMessage?.(fact))
    await work.done(fact)
  }
}

/** One batch of a partition at a time: what a membership that was lost has in hand is over before another begins. */
function partitionTurns() {
  const last = new Map<string, Promise<void>>()
  return {
    take([first]: FactMessage[], work: () => Promise<void>): Promise<void> {
      const partition = `${first?.topic} ${first?.partition}`
      const turn = (last.get(partition) ?? Promise.resolve()).then(work)
      const over = turn.catch(() => undefined)
      last.set(partition, over)
      return turn
    },
    over: () => Promise.all(last.values()),
  }
}

/** What no other try would change, in the error or in what caused it. */
function isFaultOfCode(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if (['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'].includes(one.name)) return true
  return false
}

/** The process cannot consume any more: end it, so that a fresh one takes over. */
function crash(error: Error): void {
  logger.fatal({ err: error }, 'the consumer cannot go on')
  setImmediate(() => {
    throw error
  })
}
