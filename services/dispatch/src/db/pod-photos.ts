import type { ObjectAge } from '@svc/object-store'
import type { Tx } from '@svc/transact'
import { rowOf, rowsOf, type Source, write } from './rows.ts'

export interface PodPhoto {
  storageKey: string
  riderId: string
  contentType: string
  sizeBytes: number
}

/** A photo is about to be uploaded there, in place of the one that was. */
export async function announcePodPhoto(
  tx: Tx,
  { storageKey, riderId, contentType, sizeBytes }: PodPhoto,
): Promise<void> {
  await write(
    tx,
    `INSERT INTO pod_photos (storage_key, rider_id, content_type, size_bytes, created_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (storage_key) DO UPDATE SET
       content_type = excluded.content_type, size_bytes = excluded.size_bytes, created_at = excluded.created_at,
       order_id = NULL`,
    [storageKey, riderId, contentType, sizeBytes, tx.now],
  )
}

/** The photo of this rider that the key names, as it was announced; null: none. */
export const findPodPhoto = (source: Source, riderId: string, storageKey: string): Promise<PodPhoto | null> =>
  rowOf<PodPhoto>(
    source,
    'SELECT storage_key, rider_id, content_type, size_bytes FROM pod_photos WHERE storage_key = $1 AND rider_id = $2',
    [storageKey, riderId],
  )

/** Makes it a photo of that order; false where it is one of another. */
export const bindPodPhoto = async (tx: Tx, riderId: string, storageKey: string, orderId: string): Promise<boolean> =>
  (await write(
    tx,
    `UPDATE pod_photos SET order_id = $3
      WHERE storage_key = $1 AND rider_id = $2 AND (order_id IS NULL OR order_id = $3)`,
    [storageKey, riderId, orderId],
  )) === 1

/** Where a photo stands among all by age. */
/** Photos that were announced so many days ago, oldest first; of them those behind `after`. */
export const oldestPodPhotos = (
  source: Source,
  days: number,
  after: ObjectAge | null,
  limit: number,
): Promise<ObjectAge[]> =>
  rowsOf<ObjectAge>(
    source,
    `SELECT storage_key, created_at::text AS at FROM pod_photos
      WHERE created_at < (SELECT app_now() - make_interval(days => $1))
        AND ($2::timestamptz IS NULL OR (created_at, storage_key) > ($2, $3))
      ORDER BY created_at, storage_key LIMIT $4`,
    [days, after?.at, after?.storageKey, limit],
  )

export async function deletePodPhotos(source: Source, storageKeys: readonly string[]): Promise<void> {
  if (storageKeys.length > 0) await write(source, 'DELETE FROM pod_photos WHERE storage_key = ANY($1)', [storageKeys])
}
