import { type Worker, worker } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { nextAttachmentInMs } from '../db/attachment-ocr-jobs.ts'
import { firstTurn } from '../db/normalization-jobs.ts'
import { readAttachment } from '../use-cases/mails/read-attachment.ts'

const POLL_MS = 1_000

/** Fetches, stores and reads attachments of mail, a few at a time. Any number of replicas share the work. */
export const attachmentReader = (lanes: number, context: () => Context): Worker => {
  const turn = firstTurn()
  return worker({
    name: 'attachment reader',
    lanes,
    pollMs: POLL_MS,
    work: (stopping) => readAttachment(context(), turn, stopping),
    nextDueInMs: () => nextAttachmentInMs(context().transact),
    failed: 'attachments of mail could not be read; they stay due',
  })
}
