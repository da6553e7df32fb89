import { KybServiceService } from '@svc/contracts/admin/v1/kyb_service'
import { inPerson, merchant, operator, rpc, service, serving } from '@svc/grpc'
import { formed, idField, pageFields, text, timestamp } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { DOCUMENT_CONTENTS, DOCUMENT_TYPES, MAX_DOCUMENT_BYTES } from '../domain/kyb.ts'
import { kybDocumentMessage } from '../messages/kyb-document.ts'
import { merchantMessage } from '../messages/merchant.ts'
import { addKybDocument } from '../use-cases/kyb/add-kyb-document.ts'
import { listBusinessApprovalQueue } from '../use-cases/kyb/list-business-approval-queue.ts'
import { listKybScanJobs } from '../use-cases/kyb/list-kyb-scan-jobs.ts'
import { presignKybUpload } from '../use-cases/kyb/presign-kyb-upload.ts'
import { recordIdentification } from '../use-cases/kyb/record-identification.ts'
import { submitKyb } from '../use-cases/kyb/submit-kyb.ts'

// Verification is the merchant's own: nobody does it for another.
const READ = inPerson(merchant('orders:read', 'orders:write'))
const WRITE = inPerson(merchant('orders:write'))

const fileName = formed(z.regex(/^[^\p{Cc}/\\]+$/u, 'must be the name of a file'), 255)

/** How businesses are verified and put up for approval. */
export const kybService = serving<Context>()(KybServiceService, {
  submitKyb: rpc({
    access: READ,
    async handle(ctx, by, { payload_json: payloadJson }) {
      const { merchant, submittedAt } = await submitKyb(ctx, by, { payloadJson })
      return {
        kyb_status: merchant.kybStatus,
        business_approval_status: merchant.businessApprovalStatus,
        submitted_at: submittedAt.toISOString(),
      }
    },
  }),

  presignKybUpload: rpc({
    access: WRITE,
    input: z.object({
      file_name: fileName,
      content_type: z.enum(DOCUMENT_CONTENTS),
      size_bytes: z.int().min(1).max(MAX_DOCUMENT_BYTES),
      document_type: z.enum(DOCUMENT_TYPES),
    }),
    async handle(ctx, by, asked) {
      const { url, headers, expiresAt, storageKey } = await presignKybUpload(ctx, by, {
        fileName: asked.file_name,
        contentType: asked.content_type,
        sizeBytes: asked.size_bytes,
        documentType: asked.document_type,
      })
      return { url, headers, expires_at: expiresAt.toISOString(), storage_key: storageKey }
    },
  }),

  addKybDocument: rpc({
    access: WRITE,
    input: z.object({
      storage_key: text(200),
      file_name: fileName.optional(),
      content_type: z.enum(DOCUMENT_CONTENTS).optional(),
      size_bytes: z.int().optional(),
      document_type: z.enum(DOCUMENT_TYPES).optional(),
    }),
    async handle(ctx, by, { storage_key: storageKey, ...said }) {
      const { document, kybStatus } = await addKybDocument(ctx, by, {
        storageKey,
        said: {
          ...(said.file_name !== undefined && { fileName: said.file_name }),
          ...(said.content_type !== undefined && { contentType: said.content_type }),
          ...(said.size_bytes !== undefined && { sizeBytes: said.size_bytes }),
          ...(said.document_type !== undefined && { documentType: said.document_type }),
        },
      })
      return { document: kybDocumentMessage(document), kyb_status: kybStatus }
    },
  }),

  listKybScanJobs: rpc({
    access: READ,
    input: z.object(pageFields()),
    async handle(ctx, by, page) {
      const { documents, total } = await listKybScanJobs(ctx, by, page)
      return { items: documents.map(kybDocumentMessage), total, ...page }
    },
  }),

  recordIdentification: rpc({
    access: service('wallet'),
    input: z.object({
      merchant_id: idField.or(z.literal('')),
      addressed_merchant_id: idField.optional(),
      succeeded: z.boolean(),
      occurred_at: timestamp.transform((at) => new Date(at)),
      reason: text(4_000, 0).optional(),
      reference: text(200).optional(),
    }),
    async handle(ctx, by, { succeeded, reason, reference, ...input }) {
      const { outcome, kybStatus } = await recordIdentification(ctx, by, {
        payerId: input.merchant_id || null,
        addressedTo: input.addressed_merchant_id ?? null,
        occurredAt: input.occurred_at,
        succeeded,
        reason,
        reference,
      })
      return { outcome, kyb_status: kybStatus ?? '' }
    },
  }),

  listBusinessApprovalQueue: rpc({
    access: operator('admin.merchants.read'),
    input: z.object({ ...pageFields(500), business_approval_status: z.enum(['pending', 'rejected']).optional() }),
    async handle(ctx, by, { limit, offset, business_approval_status: status }) {
      const { merchants, total } = await listBusinessApprovalQueue(ctx, by, { limit, offset, status })
      return { items: merchants.map(merchantMessage), total, limit, offset }
    },
  }),
})
