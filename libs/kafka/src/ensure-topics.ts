import { setTimeout as wait } from 'node:timers/promises'
import type { Admin } from 'kafkajs'
import { type ClientOptions, createClient } from './client.ts'

interface EnsureTopicsOptions extends Omit<ClientOptions, 'clientId'> {
  topics: string[]
  partitions?: number
  replicationFactor?: number
  /** How long facts stay readable; shorter than the inbox remembers them. */
  retentionMs?: number
}

const SEVEN_DAYS_MS = 7 * 24 * 3_600_000
/** The largest fact holds a hook of 1 MiB, and a topic is created by whoever starts first. */
const MAX_FACT_BYTES = 1_100_000
const LEADERS_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 100

/** Creates the topics that do not exist; existing ones are left as they are. Afterwards all of them can be used. */
export async function ensureTopics(options: EnsureTopicsOptions): Promise<void> {
  const { brokers, topics, partitions = 4, replicationFactor = 1, retentionMs = SEVEN_DAYS_MS } = options
  const admin = createClient({ brokers, clientId: 'ensure-topics' }).admin()
  await admin.connect()
  try {
    const existing = new Set(await admin.listTopics())
    const missing = topics.filter((topic) => !existing.has(topic))
    // The client's own wait gives up at the first broker that has not heard of a new topic yet.
    if (missing.length > 0)
      await admin.createTopics({
        waitForLeaders: false,
        topics: missing.map((topic) => ({
          topic,
          numPartitions: partitions,
          replicationFactor,
          configEntries: [
            { name: 'retention.ms', value: String(retentionMs) },
            { name: 'max.message.bytes', value: String(MAX_FACT_BYTES) },
            { name: 'unclean.leader.election.enable', value: 'false' },
            ...(replicationFactor >= 3 ? [{ name: 'min.insync.replicas', value: '2' }] : []),
          ],
        })),
      })
    await untilLed(admin, topics)
  } finally {
    await admin.disconnect()
  }
}

/** Waits until every partition of the topics has a leader; a busy broker denies for a while that it has just created them. */
async function untilLed(admin: Admin, topics: string[]): Promise<void> {
  const giveUpAt = performance.now() + LEADERS_WITHIN_MS
  for (;;) {
    try {
      const found = await admin.fetchTopicMetadata({ topics })
      if (found.topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))) return
    } catch (error) {
      if (performance.now() > giveUpAt) throw error
    }
    if (performance.now() > giveUpAt) throw new Error(`topics have no leader: ${topics.join(', ')}`)
    await wait(LOOK_EVERY_MS)
  }
}
