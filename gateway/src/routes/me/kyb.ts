import { paging, text } from '@svc/inputs'
import { instant, page, required } from '@svc/public-bodies'
import * as z from 'zod'
import {
  DOCUMENT_CONTENTS,
  DOCUMENT_TYPES,
  kybDocument,
  kybScanJob,
  kybScanJobOf,
  MAX_DOCUMENT_BYTES,
} from '../../bodies/kyb.ts'
import { inPerson, merchant, reply, route } from '../../http/route.ts'

const tag = 'Account'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/me/kyb/submit',
    operationId: 'submitKyb',
    tag,
    summary: 'Submit your business for verification',
    description:
      'Takes any object of at most 64 KiB: what your operator asks for. Submitting again, until the business is verified, replaces it. Documents are added by themselves.',
    auth: inPerson(merchant('orders:read', 'orders:write')),
    body: z.looseObject({}),
    opaque: true,
    replies: {
      200: z.object({
        ok: z.literal(true),
        kyb_status: z.string(),
        business_approval_status: z.string(),
        submitted_at: instant,
      }),
    },
    errors: ['already_exists', 'payload_too_large'],
    async handle({ body }, services) {
      const submitted = await services.kyb.submitKyb({ payload_json: JSON.stringify(body) })
      return reply(200, { ok: true, ...submitted })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/kyb/uploads/presign',
    operationId: 'presignKybUpload',
    tag,
    summary: 'Prepare the upload of a document',
    description:
      'The document is then sent to the address with the headers, once, within 15 minutes; its storage_key goes to POST /v1/me/kyb/documents within a day.',
    auth: inPerson(merchant('orders:write')),
    body: z.object({
      file_name: text(255),
      content_type: z.enum(DOCUMENT_CONTENTS),
      size_bytes: z.int().min(1).max(MAX_DOCUMENT_BYTES),
      document_type: z.enum(DOCUMENT_TYPES),
    }),
    replies: {
      201: z.object({
        upload: z.object({
          url: z.string(),
          method: z.literal('PUT'),
          headers: z.record(z.string(), z.string()),
          expires_at: instant,
        }),
        storage_key: z.string(),
      }),
    },
    errors: ['uploads_not_configured', 'limit_reached'],
    async handle({ body }, services) {
      const { storage_key, ...upload } = await services.kyb.presignKybUpload(body)
      return reply(201, { upload: { ...upload, method: 'PUT' }, storage_key })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/kyb/documents',
    operationId: 'addKybDocument',
    tag,
    summary: 'Add an uploaded document',
    description:
      'The upload must be there as it was announced. It is scanned for viruses (GET /v1/me/kyb/scan-jobs); what is infected cannot be opened and stands in the way of verification until you submit again.',
    auth: inPerson(merchant('orders:write')),
    body: z.object({
      storage_key: text(200),
      document_type: z.enum(DOCUMENT_TYPES).optional(),
      file_name: text(255).optional(),
      content_type: z.enum(DOCUMENT_CONTENTS).optional(),
      size_bytes: z.int().min(1).max(MAX_DOCUMENT_BYTES).optional(),
    }),
    replies: { 201: z.object({ ok: z.literal(true), document: kybDocument, kyb_status: z.string() }) },
    errors: ['uploads_not_configured', 'already_exists', 'limit_reached'],
    async handle({ body }, services) {
      const { document, kyb_status } = await services.kyb.addKybDocument(body)
      return reply(201, { ok: true, document: required(document), kyb_status })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/me/kyb/scan-jobs',
    operationId: 'listKybScanJobs',
    tag,
    summary: 'List the virus scans of your documents',
    description: 'Newest first.',
    auth: inPerson(merchant('orders:read', 'orders:write')),
    query: paging(),
    replies: { 200: page('items', kybScanJob) },
    errors: [],
    async handle({ query }, services) {
      const { items, ...rest } = await services.kyb.listKybScanJobs(query)
      return reply(200, { items: items.map(kybScanJobOf), ...rest })
    },
  }),
]
