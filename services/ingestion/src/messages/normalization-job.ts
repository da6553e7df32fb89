import type { NormalizationJob as Message } from '@svc/contracts/ingestion/v1/normalization_service'
import type { NormalizationJob } from '../db/normalization-jobs.ts'

/** row → message */
export const normalizationJobMessage = (job: NormalizationJob): Message => ({
  id: job.id,
  channel: job.channel,
  merchant_id: job.merchantId,
  status: job.status,
  attempts: job.attempts,
  error: job.error ?? undefined,
  order_id: job.orderId ?? undefined,
  external_order_id: job.externalOrderId ?? undefined,
  created_at: job.createdAt.toISOString(),
  resolved_at: job.resolvedAt?.toISOString(),
  fields: job.fields,
})
