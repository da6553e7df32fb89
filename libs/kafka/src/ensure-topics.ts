import { setTimeout as wait } from 'node:timers/promises'
import { createLogger } from '@svc/logging'
import { type DriverAdmin, type DriverOptions, kafkaDriver, MIN_INSYNC } from './driver.ts'

const logger = createLogger('kafka-topics')

export interface Replication {
  /** Brokers that keep each fact; three, or as many as there are, unless given. */
  replicationFactor?: number | undefined
  /** Whether topics that fewer brokers keep are refused; otherwise they are reported. */
  refusesWeakTopics?: boolean
  /** Topics that others write. They are refused where this process might do so too. */
  topicsOfOthers?: readonly string[] | undefined
}

interface EnsureTopicsOptions extends Omit<DriverOptions, 'clientId'>, Replication {
  topics: string[]
  partitions?: number
  /** How long facts stay readable; shorter than the inbox remembers them. */
  retentionMs?: number
}

const SEVEN_DAYS_MS = 7 * 24 * 3_600_000
/** The largest fact holds a hook of 1 MiB, and any service that starts first creates a topic. */
const MAX_FACT_BYTES = 1_100_000
const KNOWN_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 100
/** One broker may be lost with all it has. */
const REPLICAS = 3
const INSYNC = 2

/** Facts on such topics would be lost with one broker, or are not what they say. */
export class UnsafeTopicsError extends Error {
  override readonly name = 'UnsafeTopicsError'
}

/**
 * Creates the topics that do not exist; existing ones are left as they are. Afterwards all of them can be used, and a fact
 * that they acknowledge survives the loss of a broker, where there are as many: weak ones are reported or refused.
 * Those of others cannot be written from here, or are refused.
 */
export async function ensureTopics(options: EnsureTopicsOptions): Promise<void> {
  const { brokers, topics, partitions = 4, retentionMs = SEVEN_DAYS_MS } = options
  const admin = await kafkaDriver({ brokers, clientId: 'ensure-topics' }).admin()
  try {
    await judgeWriting(admin, options.topicsOfOthers)
    const replicationFactor = options.replicationFactor ?? Math.min(REPLICAS, await admin.brokers())
    const insync = Math.min(INSYNC, replicationFactor)
    const settings = {
      'retention.ms': String(retentionMs),
      'max.message.bytes': String(MAX_FACT_BYTES),
      'unclean.leader.election.enable': 'false',
      [MIN_INSYNC]: String(insync),
    }
    const existing = new Set(await admin.topics())
    const missing = topics.filter((topic) => !existing.has(topic))
    if (missing.length > 0)
      await admin.createTopics(missing.map((name) => ({ name, partitions, replicationFactor, settings })))
    await patiently(async () => {
      if (!(await admin.areLed(topics))) throw new Error(`topics have no leader: ${topics.join(', ')}`)
    })
    // Two copies in sync survive a broker; a third that is wanted by default may have come later than the topic.
    await judgeCopies(admin, options, { replicas: options.replicationFactor ?? insync, insync })
  } finally {
    await admin.close()
  }
}

/** Who reads a fact believes that its service wrote it. */
async function judgeWriting(admin: DriverAdmin, topicsOfOthers: readonly string[] = []): Promise<void> {
  const open = topicsOfOthers.length > 0 ? await admin.writable(topicsOfOthers) : []
  if (open.length === 0) return
  throw new UnsafeTopicsError(
    `our user may write what only others write: ${open.join(', ')}. Give it an ACL for its own topic, or say KAFKA_ACL=off`,
  )
}

async function judgeCopies(
  admin: DriverAdmin,
  { topics, refusesWeakTopics }: EnsureTopicsOptions,
  wanted: { replicas: number; insync: number },
): Promise<void> {
  const copies = await patiently(() => admin.copies(topics))
  const weak = copies.filter(({ replicas, insync }) => replicas < wanted.replicas || insync < wanted.insync)
  if (weak.length === 0) return
  logger.error({ weak, wanted, alert: 'topics_weak' }, 'topics would lose acknowledged facts with one broker')
  if (!refusesWeakTopics) return
  const names = weak.map(({ topic, replicas, insync }) => `${topic} (${replicas}, ${insync} in sync)`).join(', ')
  throw new UnsafeTopicsError(`not kept by ${wanted.replicas} brokers, ${wanted.insync} in sync: ${names}`)
}

/** Asks again until the brokers answer: each of them denies for a while that another has just created a topic. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + KNOWN_WITHIN_MS
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (performance.now() > giveUpAt) throw error
    }
    await wait(LOOK_EVERY_MS)
  }
}
