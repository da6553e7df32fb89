import type { Database } from '@svc/database'
import type { Part } from '@svc/lifecycle'
import { metrics } from '@svc/telemetry'
import { oldestAttachmentSeconds } from '../db/attachment-ocr-jobs.ts'

/** Shows at each scrape for how long attachments wait to be read. */
export function observeAttachments({ worker }: Pick<Database, 'worker'>): Part {
  let stop = () => {}
  return {
    name: 'observed attachments',
    async start() {
      stop = metrics.gauge(
        'attachment_oldest_pending_seconds',
        'For how long the oldest attachment of a mail has waited to be fetched and read',
        () => oldestAttachmentSeconds(worker),
      )
    },
    async stop() {
      stop()
    },
  }
}
