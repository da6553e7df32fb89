import { kafkaDriver } from './driver.ts'

/** Deletes the topics whose names begin with the prefix: what a mesh of a test leaves on a broker that goes on running. */
export async function deleteTopics(brokers: string[], prefix: string): Promise<void> {
  const admin = await kafkaDriver({ brokers, clientId: 'delete-topics' }).admin()
  try {
    const topics = (await admin.topics()).filter((topic) => topic.startsWith(prefix))
    if (topics.length > 0) await admin.deleteTopics(topics)
  } finally {
    await admin.close()
  }
}
