import type { Tx } from '@svc/transact'
import { rowOf, type Source, write } from './rows.ts'

export interface PodPhoto {
  storageKey: string
  riderId: string
  contentType: string
  sizeBytes: number
}

export async function insertPodPhoto(tx: Tx, { storageKey, riderId, contentType, sizeBytes }: PodPhoto): Promise<void> {
  await write(
    tx,
    `INSERT INTO pod_photos (storage_key, rider_id, content_type, size_bytes, created_at)
     VALUES ($1, $2, $3, $4, $5)`,
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
