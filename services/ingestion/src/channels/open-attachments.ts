import type { Context } from '../context.ts'
import { openAttachmentJobs } from '../db/attachment-ocr-jobs.ts'
import type { ClaimedJob } from '../db/normalization-jobs.ts'

/** Opens a job for each attachment of the mail that a hook tells of; those of other channels tell of none. */
export async function openAttachments(ctx: Context, job: ClaimedJob): Promise<void> {
  const mail = ctx.channels.get(job.channel)?.mailIn?.(job)
  if (!mail || mail.attachments.length === 0) return
  const { id: hookId, channel, merchantId } = job
  const opened = { hookId, channel, merchantId, emailId: mail.id, attachments: mail.attachments }
  await ctx.transact('every tenant', (tx) => openAttachmentJobs(tx, { ...opened, unavailable: 'mail_not_configured' }))
}
