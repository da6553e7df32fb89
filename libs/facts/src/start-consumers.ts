import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@svc/database'
import { isUuid } from '@svc/inputs'
import { type FactMessage, kafkaConsumer, type PartitionWork } from '@svc/kafka'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import type { Transact } from '@svc/transact'
import type { Consumer } from './consumer.ts'
import { factHandler, type HandleFacts, type Handling } from './handle-facts.ts'

const logger = createLogger('consumers')
/** Facts of one partition in one transaction of a batch consumer. */
const CHUNK = 200

interface ConsumersOptions<C> {
  /** With its prefix, if topics have one. */
  group: string
  brokers: string[]
  topicPrefix?: string
  database: Database
  transact: Transact
  consumers: ReadonlyArray<Consumer<C>>
  context: C
}

export interface RunningConsumers {
  name: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Facts that the group has not handled yet. */
  lag: () => Promise<number>
  /** When Kafka last answered, in milliseconds of Date.now(). */
  lastPollAt: () => number
}

/**
 * Runs the consumers of a service: each fact takes effect once per consumer, per aggregate in order; a poisonous fact
 * is parked and holds up nothing but its own aggregate. Facts that come right after others are gathered as long as all
 * consumers of the group allow.
 */
export function startConsumers<C>(options: ConsumersOptions<C>): RunningConsumers {
  const { transact, context, topicPrefix = '' } = options
  const handlings: Array<Handling<C>> = options.consumers.map((consumer) => ({ transact, context, consumer }))
  const names = new Set(options.consumers.map((consumer) => consumer.name))
  if (names.size < handlings.length) throw new TypeError('two consumers have one name: their inboxes would mix')

  const gatherMs = Math.min(...options.consumers.map((consumer) => consumer.gatherMs))
  const stopping = new AbortController()
  const wanted = handlings.map((handling) => wantedBy(handling, topicPrefix))
  const topics = new Set(options.consumers.flatMap(({ topics }) => [...topics].map((topic) => topicPrefix + topic)))
  const kafka = kafkaConsumer({
    brokers: options.brokers,
    clientId: options.group,
    group: options.group,
    topics: [...topics],
    async onBatch(facts, work) {
      await handleBatch(wanted, facts, work)
      // Kafka is asked again when every partition of its answer is done: each answer costs it and us as much as many facts.
      if (gatherMs > 0 && facts.length < CHUNK)
        await delay(gatherMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    },
  })
  let stopObserving = () => {}

  return {
    name: `consumers ${options.group}`,
    async start() {
      stopObserving = observe(options, kafka.lag)
      await kafka.start()
    },
    async stop() {
      stopping.abort()
      stopObserving()
      await kafka.stop()
    },
    lag: kafka.lag,
    lastPollAt: kafka.lastPollAt,
  }
}

/** Handles what one consumer wants of some facts. */
function wantedBy<C>(handling: Handling<C>, topicPrefix: string): HandleFacts {
  const handle = factHandler(handling)
  const { consumer } = handling
  return async (facts, work) => {
    const wanted = facts.filter(({ topic, headers }) =>
      consumer.wants(topic.slice(topicPrefix.length), headers['ce_type']!),
    )
    if (wanted.length > 0) await handle(wanted, work)
  }
}

async function handleBatch(
  consumers: readonly HandleFacts[],
  facts: FactMessage[],
  work: PartitionWork,
): Promise<void> {
  for (let from = 0; from < facts.length; from += CHUNK) {
    if (!work.isCurrent()) return
    const chunk = facts.slice(from, from + CHUNK)
    const valid = chunk.filter(isFact)
    for (const handle of consumers) await handle(valid, work)
    await work.done(chunk.at(-1)!)
  }
}

/** A message that is no fact has no identity to park it by. */
function isFact(message: FactMessage): boolean {
  const { ce_id: id, ce_type: type } = message.headers
  if (type !== undefined && id !== undefined && isUuid(id) && isUuid(message.key)) return true
  const { topic, partition, offset } = message
  logger.error({ topic, partition, offset, alert: 'not_a_fact' }, 'a message that is no fact was passed over')
  return false
}

/** Of its own consumers, each of which is shown: a process may run several groups over one table. */
function observe<C>({ database, group, consumers }: ConsumersOptions<C>, lag: () => Promise<number>): () => void {
  const endings = [
    metrics.gauge('consumer_lag', 'Facts that the group has not handled', async () => [
      { value: await lag(), labels: { group } },
    ]),
    metrics.gauge('consumer_parked', 'Facts that are parked, by consumer', async () => {
      const { rows } = await database.worker.query<{ consumer: string; count: number }>(
        'SELECT consumer, count(*) FROM parked WHERE resolved_at IS NULL GROUP BY consumer',
      )
      const parked = new Map(rows.map(({ consumer, count }) => [consumer, count]))
      return consumers.map(({ name }) => ({ value: parked.get(name) ?? 0, labels: { consumer: name } }))
    }),
  ]
  return () => {
    for (const end of endings) end()
  }
}
