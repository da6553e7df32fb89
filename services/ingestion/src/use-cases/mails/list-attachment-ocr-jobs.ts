import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { type AttachmentFilter, type AttachmentOcrJob, listAttachmentJobs } from '../../db/attachment-ocr-jobs.ts'

/** What became of the attachments of mail, newest first. */
export async function listAttachmentOcrJobs(
  ctx: Context,
  by: By<'every tenant'>,
  { limit, offset, ...filter }: AttachmentFilter & Page,
): Promise<{ items: AttachmentOcrJob[]; total: number }> {
  return listAttachmentJobs(ctx.reads.in(by.scope).sql, filter, { limit, offset })
}
