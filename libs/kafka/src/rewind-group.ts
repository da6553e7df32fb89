import { kafkaDriver } from './driver.ts'

/** Lets a group read again, in every topic that it reads, what came since that moment; it must have no member. */
export async function rewindGroup(brokers: string[], group: string, sinceMs: number): Promise<void> {
  const admin = await kafkaDriver({ brokers, clientId: 'rewind-group' }).admin()
  try {
    await admin.rewind(group, sinceMs)
  } finally {
    await admin.close()
  }
}
