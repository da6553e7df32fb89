import { setTimeout as wait } from 'node:timers/promises'
import { type DriverAdmin, type DriverOptions, kafkaDriver } from './driver.ts'

interface EnsureTopicsOptions extends Omit<DriverOptions, 'clientId'> {
  topics: string[]
  partitions?: number
  replicationFactor?: number
  /** How long facts stay readable; shorter than the inbox remembers them. */
  retentionMs?: number
}

const SEVEN_DAYS_MS = 7 * 24 * 3_600_000
/** The largest fact holds a hook of 1 MiB, and any service that starts first creates a topic. */
const MAX_FACT_BYTES = 1_100_000
const LEADERS_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 100

/** Creates the topics that do not exist; existing ones are left as they are. Afterwards all of them can be used. */
export async function ensureTopics(options: EnsureTopicsOptions): Promise<void> {
  const { brokers, topics, partitions = 4, replicationFactor = 1, retentionMs = SEVEN_DAYS_MS } = options
  const settings = {
    'retention.ms': String(retentionMs),
    'max.message.bytes': String(MAX_FACT_BYTES),
    'unclean.leader.election.enable': 'false',
    ...(replicationFactor >= 3 ? { 'min.insync.replicas': '2' } : {}),
  }
  const admin = await kafkaDriver({ brokers, clientId: 'ensure-topics' }).admin()
  try {
    const existing = new Set(await admin.topics())
    const missing = topics.filter((topic) => !existing.has(topic))
    if (missing.length > 0)
      await admin.createTopics(missing.map((name) => ({ name, partitions, replicationFactor, settings })))
    await untilLed(admin, topics)
  } finally {
    await admin.close()
  }
}

/** Waits until every partition of the topics has a leader; a busy broker denies for a while that it has just created them. */
async function untilLed(admin: DriverAdmin, topics: string[]): Promise<void> {
  const giveUpAt = performance.now() + LEADERS_WITHIN_MS
  for (;;) {
    try {
      if (await admin.areLed(topics)) return
    } catch (error) {
      if (performance.now() > giveUpAt) throw error
    }
    if (performance.now() > giveUpAt) throw new Error(`topics have no leader: ${topics.join(', ')}`)
    await wait(LOOK_EVERY_MS)
  }
}
