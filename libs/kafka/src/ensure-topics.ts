import { type ClientOptions, createClient } from './client.ts'

interface EnsureTopicsOptions extends Omit<ClientOptions, 'clientId'> {
  topics: string[]
  partitions?: number
  replicationFactor?: number
  /** How long facts stay readable; shorter than the inbox remembers them. */
  retentionMs?: number
}

const SEVEN_DAYS_MS = 7 * 24 * 3_600_000

/** Creates the topics that do not exist; existing ones are left as they are. */
export async function ensureTopics(options: EnsureTopicsOptions): Promise<void> {
  const { brokers, topics, partitions = 4, replicationFactor = 1, retentionMs = SEVEN_DAYS_MS } = options
  const admin = createClient({ brokers, clientId: 'ensure-topics' }).admin()
  await admin.connect()
  try {
    const existing = new Set(await admin.listTopics())
    const missing = topics.filter((topic) => !existing.has(topic))
    if (missing.length === 0) return
    await admin.createTopics({
      waitForLeaders: true,
      topics: missing.map((topic) => ({
        topic,
        numPartitions: partitions,
        replicationFactor,
        configEntries: [
          { name: 'retention.ms', value: String(retentionMs) },
          { name: 'unclean.leader.election.enable', value: 'false' },
          ...(replicationFactor >= 3 ? [{ name: 'min.insync.replicas', value: '2' }] : []),
        ],
      })),
    })
  } finally {
    await admin.disconnect()
  }
}
