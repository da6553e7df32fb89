import {
  NormalizationServiceService,
  type PreviewNormalizationResponse,
} from '@svc/contracts/ingestion/v1/normalization_service'
import { operator, rpc, serving } from '@svc/grpc'
import { pageFields, resourceId, text, uuid } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { attachmentOcrJobMessage } from '../messages/attachment-ocr-job.ts'
import { normalizationJobMessage } from '../messages/normalization-job.ts'
import { listNormalizationJobs } from '../use-cases/list-normalization-jobs.ts'
import { listAttachmentOcrJobs } from '../use-cases/mails/list-attachment-ocr-jobs.ts'
import { previewNormalization } from '../use-cases/preview-normalization.ts'
import { retryNormalizationJob } from '../use-cases/retry-normalization-job.ts'

const STATUSES = ['pending', 'succeeded', 'ignored', 'failed'] as const

const preview = z.object({
  channel: z.string(),
  merchant_id: uuid,
  payload: z.custom<Buffer>(),
  topic: text(129, 0).optional(),
})

/** The rpcs by which operators see what hooks come to. */
export const normalizationService = serving<Context>()(NormalizationServiceService, {
  previewNormalization: rpc({
    access: operator('admin.ingestion.read'),
    input: preview,
    async handle(ctx, by, { merchant_id: merchantId, ...asked }): Promise<PreviewNormalizationResponse> {
      const { said, standardized } = await previewNormalization(ctx, by, { ...asked, merchantId })
      return {
        outcome: said.outcome,
        reason: 'reason' in said ? said.reason : undefined,
        field: 'field' in said ? said.field : undefined,
        external_order_id: 'externalOrderId' in said ? said.externalOrderId : undefined,
        is_test: 'isTest' in said ? (said.isTest ?? undefined) : undefined,
        payment_verified: 'paymentVerified' in said ? said.paymentVerified : undefined,
        standardized_json: standardized ? JSON.stringify(standardized) : undefined,
      }
    },
  }),

  listNormalizationJobs: rpc({
    access: operator('admin.normalization_jobs.read'),
    input: z.object({ ...pageFields(), merchant_id: uuid.optional(), status: z.enum(STATUSES).optional() }),
    async handle(ctx, by, { merchant_id: merchantId, status, ...page }) {
      const { items, total } = await listNormalizationJobs(ctx, by, { merchantId, status, ...page })
      return { items: items.map(normalizationJobMessage), total, ...page }
    },
  }),

  retryNormalizationJob: rpc({
    access: operator('admin.normalization_jobs.retry'),
    handle: async (ctx, by, { id }) => ({
      normalization_job: normalizationJobMessage(await retryNormalizationJob(ctx, by, { id: resourceId(id) })),
    }),
  }),

  listAttachmentOcrJobs: rpc({
    access: operator('admin.ingestion.read'),
    input: z.object({ ...pageFields(), merchant_id: uuid.optional() }),
    async handle(ctx, by, { merchant_id: merchantId, ...page }) {
      const { items, total } = await listAttachmentOcrJobs(ctx, by, { merchantId, ...page })
      return { items: items.map(attachmentOcrJobMessage), total, ...page }
    },
  }),
})
