import type { Context } from '../../context.ts'
import { deletePodPhotos, oldestPodPhotos } from '../../db/pod-photos.ts'

/** Photos that go in one bite. */
const BATCH = 100

/**
 * Removes photos that are past their time, each object before its row: while the store is away both stay. Replicas may do
 * it at the same time.
 */
export async function forgetPhotos(
  { config, database, objectStore }: Pick<Context, 'config' | 'database' | 'objectStore'>,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const keys = await oldestPodPhotos(database, config.photoRetentionDays, BATCH)
    const removed: string[] = []
    try {
      for (const key of keys) {
        await objectStore?.remove(key)
        removed.push(key)
      }
    } finally {
      await deletePodPhotos(database, removed)
    }
    if (keys.length < BATCH) return
  }
}
