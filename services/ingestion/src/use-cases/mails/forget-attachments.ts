import type { Context } from '../../context.ts'
import { type AttachmentAge, oldestAttachments, storeForgotten } from '../../db/attachment-ocr-jobs.ts'

/** Objects that go in one bite. */
const BATCH = 100

/**
 * Removes the stored attachments of hooks that were done with long ago, or have been dead for as long, each object before what
 * names it: of a hook that has one yet nothing is forgotten. A dead letter stays, and its retry fetches anew. One that the store does not let go holds up no other.
 */
export async function forgetAttachments(
  { config, database, objectStore, logger }: Pick<Context, 'config' | 'database' | 'objectStore' | 'logger'>,
  stopping?: AbortSignal,
): Promise<void> {
  let last: AttachmentAge | null = null
  while (!stopping?.aborted) {
    const found: AttachmentAge[] = await oldestAttachments(database.worker, config.hookRetentionDays, last, BATCH)
    const removed: string[] = []
    let err: unknown
    for (const { id, storageKey } of found) {
      if (stopping?.aborted) break
      try {
        await objectStore?.remove(storageKey)
        removed.push(id)
      } catch (error) {
        err = error
      }
    }
    await storeForgotten(database.worker, removed)
    if (err !== undefined)
      logger.error(
        { err, alert: 'sweep_failed', table: 'attachment_ocr_jobs', kept: found.length - removed.length },
        'attachments that are past their time stay until the next round',
      )
    if (found.length < BATCH) return
    last = found.at(-1)!
  }
}
