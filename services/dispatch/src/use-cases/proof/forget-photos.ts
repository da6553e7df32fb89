import { removeWithRows } from '@svc/object-store'
import type { Context } from '../../context.ts'
import { deletePodPhotos, oldestPodPhotos } from '../../db/pod-photos.ts'

/** Removes photos that are past their time. */
export const forgetPhotos = (
  { config, database, objectStore, logger }: Pick<Context, 'config' | 'database' | 'objectStore' | 'logger'>,
  stopping: AbortSignal,
): Promise<void> =>
  removeWithRows(
    objectStore,
    {
      oldest: (after, limit) => oldestPodPhotos(database, config.photoRetentionDays, after, limit),
      remove: (storageKeys) => deletePodPhotos(database, storageKeys),
      kept: (err, kept) =>
        logger.error(
          { err, alert: 'sweep_failed', table: 'pod_photos', kept },
          'photos that are past their time stay until the next round',
        ),
    },
    stopping,
  )
