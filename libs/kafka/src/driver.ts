import { createLogger } from '@svc/logging'
import kafkajs from 'kafkajs'
import type { FactMessage } from './fact-message.ts'
import { type OffsetKeeper, offsetKeeper } from './offset-keeper.ts'
import { partitionOf } from './partition-of.ts'

const logger = createLogger('kafka')
const ACKS_ALL = -1
export const MIN_INSYNC = 'min.insync.replicas'

export interface DriverOptions {
  /** `host:port`, or `kafkas://user:password@host:port` for TLS and SCRAM-SHA-512. */
  brokers: string[]
  clientId: string
}

/** Kafka in our words: nothing outside this file knows the library that speaks to it. What it hands out is connected. */
export interface Driver {
  producer(): Promise<DriverProducer>
  consumer(membership: Membership): Promise<Closable>
  admin(): Promise<DriverAdmin>
}

interface Closable {
  close(): Promise<void>
}

export interface DriverProducer extends Closable {
  /**
   * Resolves when every in-sync replica has the facts, which are appended in the order given. RequestTooLargeError where
   * the broker takes no request of that size; after any other error only a new producer is sure to work.
   */
  send(topic: string, facts: readonly FactMessage[]): Promise<void>
}

/** How the handler of a batch reports back. */
export interface PartitionWork {
  /** The fact and all before it are done: they are not delivered again. */
  done(fact: FactMessage): Promise<void>
  /** Keeps the membership alive; to be called at least every few seconds. Throws when the partition was taken away. */
  alive: () => Promise<void>
  /** False once the rest of the batch belongs to another member or the consumer stops: leave it. */
  isCurrent(): boolean
}

interface Membership {
  group: string
  topics: string[]
  /** Partitions handled at the same time. */
  concurrency: number
  /** The facts of one partition, in order, at most a few hundred; those not reported as done come again. */
  onBatch: (facts: FactMessage[], work: PartitionWork) => Promise<void>
  /** The broker has answered. */
  onPoll(): void
  /** The membership has ended, for this reason; only another one goes on. May come before `consumer` has answered. */
  onLost(error: Error): void
}

interface NewTopic {
  name: string
  partitions: number
  replicationFactor: number
  settings: Readonly<Record<string, string>>
}

export interface TopicCopies {
  topic: string
  /** Brokers that keep the partition which the fewest keep. */
  replicas: number
  /** How many of them must have a fact before it is acknowledged. */
  insync: number
}

export interface DriverAdmin extends Closable {
  topics(): Promise<string[]>
  createTopics(topics: readonly NewTopic[]): Promise<void>
  deleteTopics(topics: string[]): Promise<void>
  /** Whether every partition of the topics has a leader; throws while a broker has not heard of them. */
  areLed(topics: string[]): Promise<boolean>
  /** How many brokers the cluster has at present. */
  brokers(): Promise<number>
  /** How each topic is kept. */
  copies(topics: string[]): Promise<TopicCopies[]>
  /** Those of the topics to which our user may write, whether or not they exist. Takes no right, and writes nothing. */
  writable(topics: readonly string[]): Promise<string[]>
  /** Facts of the topics that the group has not finished. */
  lag(group: string, topics: string[]): Promise<number>
  /** Lets a group without members read again what came since that moment, in every topic that it reads. */
  rewind(group: string, sinceMs: number): Promise<void>
}

export class RequestTooLargeError extends Error {
  override readonly name = 'RequestTooLargeError'
}

/** A client that logs like everything else and gives up on a dead broker quickly: the callers retry. */
export function kafkaDriver({ brokers, clientId }: DriverOptions): Driver {
  const client = new kafkajs.Kafka({
    ...accessTo(brokers),
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 },
    logLevel: kafkajs.logLevel.WARN,
    logCreator: () => write,
  })
  return {
    producer: () => connectedProducer(client),
    consumer: (membership) => joinedConsumer(client, membership),
    admin: () => connectedAdmin(client),
  }
}

type Access = Required<Pick<kafkajs.KafkaConfig, 'brokers' | 'ssl'>> & Pick<kafkajs.KafkaConfig, 'sasl'>

/** How to reach the brokers: all of them in the same way. */
export function accessTo(brokers: readonly string[]): Access {
  const urls = brokers.map((broker) => new URL(broker.includes('://') ? broker : `kafka://${broker}`))
  const [first, ...others] = new Set(
    urls.map(({ protocol, username, password }) => `${protocol}${username}:${password}`),
  )
  const { protocol, username, password } = urls[0] ?? {}
  const isSafe = protocol === 'kafkas:' || (protocol === 'kafka:' && !username)
  if (first === undefined || others.length > 0 || !isSafe) {
    throw new Error('KAFKA_BROKERS must be addresses, or URLs kafkas://user:password@host:port, all of one kind')
  }
  const ssl = protocol === 'kafkas:'
  const hosts = urls.map(({ host }) => host)
  if (!username) return { brokers: hosts, ssl }
  const sasl = { username: decodeURIComponent(username), password: decodeURIComponent(password ?? '') }
  return { brokers: hosts, ssl, sasl: { mechanism: 'scram-sha-512', ...sasl } }
}

function write({ level, log }: kafkajs.LogEntry): void {
  const { message, timestamp: _timestamp, logger: _logger, stack: _stack, ...fields } = log
  if (level === kafkajs.logLevel.ERROR) logger.warn(fields, message)
  else logger.debug(fields, message)
}

/** The client keeps the connection on which it was refused. */
async function connect(client: { connect(): Promise<void>; disconnect(): Promise<void> }): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    await client.disconnect().catch(() => undefined)
    throw error
  }
}

async function connectedProducer(client: kafkajs.Kafka): Promise<DriverProducer> {
  const producer = client.producer({
    allowAutoTopicCreation: false,
    idempotent: false,
    maxInFlightRequests: 1,
    createPartitioner:
      () =>
      ({ partitionMetadata, message }) =>
        partitionOf(String(message.key), partitionMetadata.length),
  })
  await connect(producer)
  return {
    async send(topic, facts) {
      const messages = facts.map(({ key, payload, headers }) => ({ key, value: payload, headers }))
      try {
        await producer.send({ topic, acks: ACKS_ALL, messages })
      } catch (error) {
        throw isTooLarge(error) ? new RequestTooLargeError(undefined, { cause: error }) : error
      }
    },
    close: () => producer.disconnect(),
  }
}

/** The client reports it as a protocol error, bare or as the cause of having given up. */
function isTooLarge(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause as Error)
    if ('type' in at && ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'].includes(at.type as string)) return true
  return false
}

async function joinedConsumer(client: kafkajs.Kafka, membership: Membership): Promise<Closable> {
  const consumer = client.consumer({
    groupId: membership.group,
    allowAutoTopicCreation: false,
    // For so long the partitions of a consumer that was killed wait.
    sessionTimeout: 10_000,
    rebalanceTimeout: 60_000,
    heartbeatInterval: 3_000,
    maxWaitTimeInMs: 1_000,
    maxBytesPerPartition: 1024 * 1024,
    // The client joins again after some errors and gives up after others: here, whoever holds the membership decides.
    retry: { initialRetryTime: 200, maxRetryTime: 5_000, retries: 5, restartOnFailure: async () => false },
  })
  consumer.on(consumer.events.FETCH, () => membership.onPoll())
  const offsets = offsetKeeper()
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    offsets.forget()
    membership.onLost(payload.error)
  })
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: membership.topics, fromBeginning: true })
    await consumer.run({
      eachBatchAutoResolve: false,
      // The client would commit after each batch, of each partition.
      autoCommit: false,
      partitionsConsumedConcurrently: membership.concurrency,
      eachBatch: (payload) => deliver(membership, payload, offsets),
    })
  } catch (error) {
    await consumer.disconnect().catch(() => undefined)
    throw error
  }
  return {
    async close() {
      await offsets.close()
      await consumer.disconnect()
    },
  }
}

async function deliver(
  { onBatch }: Membership,
  payload: kafkajs.EachBatchPayload,
  offsets: OffsetKeeper,
): Promise<void> {
  const { batch } = payload
  const facts = batch.messages.map((message) => toFact(batch.topic, batch.partition, message))
  // Of all partitions of the member.
  const commit = async () => {
    const uncommitted = payload.uncommittedOffsets()
    if (uncommitted.topics.length > 0) await payload.commitOffsetsIfNecessary(uncommitted)
  }
  try {
    await onBatch(facts, {
      isCurrent: () => payload.isRunning() && !payload.isStale(),
      alive: () => payload.heartbeat(),
      async done(fact) {
        payload.resolveOffset(fact.offset!)
        await payload.heartbeat()
      },
    })
  } catch (error) {
    await offsets.failed(commit)
    throw error
  }
  await offsets.done(commit)
}

function toFact(
  topic: string,
  partition: number,
  { key, value, headers = {}, offset }: kafkajs.KafkaMessage,
): FactMessage {
  const text: Record<string, string> = {}
  for (const [name, content] of Object.entries(headers)) {
    const first = Array.isArray(content) ? content[0] : content
    if (first !== undefined) text[name] = first.toString()
  }
  return { topic, partition, offset, key: key?.toString() ?? '', payload: value ?? Buffer.alloc(0), headers: text }
}

async function connectedAdmin(client: kafkajs.Kafka): Promise<DriverAdmin> {
  const admin = client.admin()
  await connect(admin)
  return {
    topics: () => admin.listTopics(),
    async createTopics(topics) {
      // The client's own wait gives up at the first broker that has not heard of a new topic yet.
      await admin.createTopics({ waitForLeaders: false, topics: topics.map(toTopicConfig) })
    },
    deleteTopics: (topics) => admin.deleteTopics({ topics }),
    async areLed(topics) {
      const found = await admin.fetchTopicMetadata({ topics })
      return found.topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))
    },
    async brokers() {
      return (await admin.describeCluster()).brokers.length
    },
    async copies(topics) {
      const resources = topics.map((name) => ({
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name,
        configNames: [MIN_INSYNC],
      }))
      const [metadata, configs] = await Promise.all([
        admin.fetchTopicMetadata({ topics }),
        admin.describeConfigs({ resources, includeSynonyms: false }),
      ])
      const insync = new Map(
        configs.resources.map(({ resourceName, configEntries }) => [
          resourceName,
          Number(configEntries.find(({ configName }) => configName === MIN_INSYNC)?.configValue ?? 1),
        ]),
      )
      return metadata.topics.map(({ name, partitions }) => ({
        topic: name,
        replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
        insync: insync.get(name) ?? 1,
      }))
    },
    writable: (topics) => writableOf(client, topics),
    async lag(groupId, topics) {
      const committed = await admin.fetchOffsets({ groupId, topics })
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
    },
    async rewind(groupId, sinceMs) {
      const committed = await admin.fetchOffsets({ groupId })
      for (const { topic } of committed) {
        await admin.setOffsets({ groupId, topic, partitions: await admin.fetchTopicOffsetsByTimestamp(topic, sinceMs) })
      }
    },
    close: () => admin.disconnect(),
  }
}

/** What the client keeps to itself: a connection on which a request goes out as it is. */
interface Cluster {
  connect(): Promise<void>
  disconnect(): Promise<void>
  refreshMetadata(): Promise<void>
  findControllerBroker(): Promise<{ produce(request: object): Promise<unknown> }>
}

/** A partition that no topic has. */
const NOWHERE = 2 ** 31 - 1

/**
 * A broker looks whether a topic may be written before it looks for the partition. So a record for a partition that nobody
 * has is refused in one of two ways, and is nowhere afterwards.
 */
async function writableOf(client: kafkajs.Kafka, topics: readonly string[]): Promise<string[]> {
  const own = Object.getOwnPropertySymbols(client).find(({ description }) => description?.endsWith('createCluster'))
  const clientsOwn = client as unknown as Record<symbol, (options: object) => Cluster>
  const cluster = clientsOwn[own as symbol]!({ allowAutoTopicCreation: false })
  await connect(cluster)
  try {
    await cluster.refreshMetadata()
    const broker = await cluster.findControllerBroker()
    const writable: string[] = []
    for (const topic of topics) {
      const partitions = [{ partition: NOWHERE, firstSequence: 0, messages: [{ value: '', headers: {} }] }]
      const refusal = await broker
        .produce({ acks: ACKS_ALL, timeout: 5_000, topicData: [{ topic, partitions }] })
        .then(() => new Error('a record for no partition was taken'))
        .catch((error: Error) => error)
      const type = 'type' in refusal ? refusal.type : undefined
      if (type === 'UNKNOWN_TOPIC_OR_PARTITION') writable.push(topic)
      else if (type !== 'TOPIC_AUTHORIZATION_FAILED') throw refusal
    }
    return writable
  } finally {
    await cluster.disconnect()
  }
}

const toTopicConfig = ({ name, partitions, replicationFactor, settings }: NewTopic): kafkajs.ITopicConfig => ({
  topic: name,
  numPartitions: partitions,
  replicationFactor,
  configEntries: Object.entries(settings).map(([setting, value]) => ({ name: setting, value })),
})
