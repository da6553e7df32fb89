import { createLogger } from '@svc/logging'
import type { Context } from '../../context.ts'
import { deleteUnusedUploads, oldestUnusedUploads, type UploadAge } from '../../db/kyb-documents.ts'

/** Places that go in one bite. */
const BATCH = 100
const logger = createLogger('kyb-uploads')

/**
 * Removes uploads that no document was made of within a day, each object before its row: one that the store does not let go
 * keeps both, and holds up no other. Replicas may do it at the same time.
 */
export async function forgetKybUploads({ transact, objectStore }: Context, stopping: AbortSignal): Promise<void> {
  let last: UploadAge | null = null
  while (!stopping.aborted) {
    const after: UploadAge | null = last
    const uploads: UploadAge[] = await transact('every tenant', (tx) => oldestUnusedUploads(tx, after, BATCH))
    const removed: string[] = []
    let err: unknown
    for (const { storageKey } of uploads) {
      if (stopping.aborted) break
      try {
        await objectStore?.remove(storageKey)
        removed.push(storageKey)
      } catch (error) {
        err = error
      }
    }
    await transact('every tenant', (tx) => deleteUnusedUploads(tx, removed))
    if (err !== undefined) {
      const kept = uploads.length - removed.length
      logger.error(
        { err, alert: 'sweep_failed', table: 'kyb_documents', kept },
        'uploads that nobody used stay until the next round',
      )
    }
    if (uploads.length < BATCH) return
    last = uploads.at(-1)!
  }
}
