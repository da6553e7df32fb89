import { createLogger } from '@svc/logging'
import { removeWithRows } from '@svc/object-store'
import type { Context } from '../../context.ts'
import { deleteUnusedUploads, oldestUnusedUploads } from '../../db/kyb-documents.ts'

const logger = createLogger('kyb-uploads')

/** Removes uploads that no document was made of within a day. */
export const forgetKybUploads = ({ transact, objectStore }: Context, stopping: AbortSignal): Promise<void> =>
  removeWithRows(
    objectStore,
    {
      oldest: (after, limit) => transact('every tenant', (tx) => oldestUnusedUploads(tx, after, limit)),
      remove: (storageKeys) => transact('every tenant', (tx) => deleteUnusedUploads(tx, storageKeys)),
      kept: (err, kept) =>
        logger.error(
          { err, alert: 'sweep_failed', table: 'kyb_documents', kept },
          'uploads that nobody used stay until the next round',
        ),
    },
    stopping,
  )
