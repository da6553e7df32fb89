import type { Context } from '../../context.ts'
import { deletePodPhotos, oldestPodPhotos, type PhotoAge } from '../../db/pod-photos.ts'

/** Photos that go in one bite. */
const BATCH = 100

/**
 * Removes photos that are past their time, each object before its row: one that the store does not let go keeps both,
 * and holds up no other. Replicas may do it at the same time.
 */
export async function forgetPhotos(
  { config, database, objectStore, logger }: Pick<Context, 'config' | 'database' | 'objectStore' | 'logger'>,
  stopping: AbortSignal,
): Promise<void> {
  let last: PhotoAge | null = null
  while (!stopping.aborted) {
    const photos: PhotoAge[] = await oldestPodPhotos(database, config.photoRetentionDays, last, BATCH)
    const removed: string[] = []
    let err: unknown
    for (const { storageKey } of photos) {
      if (stopping.aborted) break
      try {
        await objectStore?.remove(storageKey)
        removed.push(storageKey)
      } catch (error) {
        err = error
      }
    }
    await deletePodPhotos(database, removed)
    if (err !== undefined) {
      const alert = 'sweep_failed'
      const kept = photos.length - removed.length
      logger.error(
        { err, alert, table: 'pod_photos', kept },
        'photos that are past their time stay until the next round',
      )
    }
    if (photos.length < BATCH) return
    last = photos.at(-1)!
  }
}
