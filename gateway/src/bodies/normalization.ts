import type {
  AttachmentOcrJob,
  NormalizationJob,
  PreviewNormalizationResponse,
} from '@svc/contracts/ingestion/v1/normalization_service'
import { fieldsOf, id, instant, orNull, page, whole, words } from '@svc/public-bodies'
import * as z from 'zod'
import { ORDER_CHANNELS } from './channels.ts'

/** Third parties whose hooks tell of orders. */
export const normalizedChannel = z.enum(ORDER_CHANNELS)

const STATUSES = ['pending', 'succeeded', 'ignored', 'failed'] as const
export const jobStatus = z.enum(STATUSES)

/** What became of a hook that tells of an order. */
const normalizationJob = z
  .object({
    ...fieldsOf<NormalizationJob>()({
      id,
      channel: z.string(),
      merchant_id: id,
      status: words(...STATUSES),
      attempts: whole,
      error: orNull(z.string()).meta({ example: 'missing_address' }),
      order_id: orNull(id),
      external_order_id: orNull(z.string()),
      created_at: instant,
      resolved_at: orNull(instant),
      fields: z.array(z.string()).meta({ description: 'What it lacks, or what could not be used' }),
    }),
    raw_ref: z.string().meta({ description: 'Of the stored bytes' }),
  })
  .meta({ id: 'NormalizationJob' })

/** The bytes are stored under the id of the hook, which is that of the job. */
export const jobOf = (job: NormalizationJob) => ({ ...job, raw_ref: job.id })

export const normalizationJobList = page('items', normalizationJob)
export const retriedNormalizationJob = z.object({ ok: z.literal(true), normalization_job: normalizationJob })

/** What became of an attachment of a mail. */
const attachmentOcrJob = z
  .object({
    ...fieldsOf<AttachmentOcrJob>()({
      id,
      channel: z.string(),
      merchant_id: id,
      hook_id: id.meta({ description: 'Of the mail, and of its normalization job' }),
      status: words('pending', 'succeeded', 'failed', 'unavailable'),
      attempts: whole,
      error: orNull(z.string()).meta({ example: 'not_an_image' }),
      order_id: orNull(id).meta({ description: 'That the mail became' }),
      file_name: orNull(z.string()),
      content_type: z.string().meta({ example: 'image/png' }),
      size_bytes: orNull(whole).meta({ description: 'null: not stored yet' }),
      created_at: instant,
      resolved_at: orNull(instant),
    }),
    raw_ref: z.string().meta({ description: 'Of the stored bytes of the hook' }),
  })
  .meta({ id: 'AttachmentOcrJob' })

export const attachmentJobOf = (job: AttachmentOcrJob) => ({ ...job, raw_ref: job.hook_id })

export const attachmentOcrJobList = page('items', attachmentOcrJob)

export const previewedNormalization = z.object({
  outcome: words('order', 'update', 'cancel', 'ignored', 'dead_letter'),
  reason: orNull(z.string()),
  field: orNull(z.string()).meta({ description: 'What a dead letter lacks' }),
  external_order_id: orNull(z.string()),
  order: orNull(
    z.object({
      source: z.string(),
      external_order_id: z.string(),
      is_test: z.boolean(),
      payment_verified: z.boolean(),
      standardized: z.looseObject({}),
    }),
  ),
})

/** What a hook would come to; the order only where one would be made. */
export function previewOf(source: string, said: PreviewNormalizationResponse): z.input<typeof previewedNormalization> {
  const { outcome, reason, field, external_order_id, standardized_json: json } = said
  const { is_test = false, payment_verified = false } = said
  const order = json
    ? { source, external_order_id: external_order_id ?? '', is_test, payment_verified, standardized: JSON.parse(json) }
    : undefined
  return { outcome, reason, field, external_order_id, order }
}
