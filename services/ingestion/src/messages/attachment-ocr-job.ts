import type { AttachmentOcrJob as Message } from '@svc/contracts/ingestion/v1/normalization_service'
import type { AttachmentOcrJob } from '../db/attachment-ocr-jobs.ts'

/** row → message */
export const attachmentOcrJobMessage = (job: AttachmentOcrJob): Message => ({
  id: job.id,
  channel: job.channel,
  merchant_id: job.merchantId,
  hook_id: job.hookId,
  status: job.status,
  attempts: job.attempts,
  error: job.error ?? undefined,
  order_id: job.orderId ?? undefined,
  file_name: job.fileName ?? undefined,
  content_type: job.contentType,
  size_bytes: job.sizeBytes ?? undefined,
  created_at: job.createdAt.toISOString(),
  resolved_at: job.resolvedAt?.toISOString(),
})
