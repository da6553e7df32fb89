import type { KybDocument } from '@svc/contracts/admin/v1/kyb_service'
import { fieldsOf, id, instant, orNull, whole } from '@svc/public-bodies'
import * as z from 'zod'

export const DOCUMENT_TYPES = [
  'certificate_of_incorporation',
  'proof_of_address',
  'director_id',
  'tax_clearance',
  'other',
] as const
export const DOCUMENT_CONTENTS = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'] as const
export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024

const fields = fieldsOf<KybDocument>()({
  id,
  storage_key: z.string(),
  document_type: z.string(),
  file_name: z.string(),
  content_type: z.string(),
  size_bytes: whole,
  scan_status: z.string().meta({ description: 'pending, scanning, clean, infected, failed or unavailable' }),
  scan_detail: orNull(z.string()).meta({ description: 'What was found, or why there is no verdict' }),
  added_at: instant,
  scanned_at: orNull(instant),
})

/** A document of a business's file. */
export const kybDocument = z.object(fields).meta({ id: 'KybDocument' })

/** The same as the job that scans it. */
export const kybScanJob = z
  .object({
    id,
    status: z.string().meta({
      description:
        'pending, scanning, clean, infected, failed (it cannot be scanned) or unavailable (there is no scanner)',
    }),
    detail: fields.scan_detail,
    storage_key: fields.storage_key,
    document_type: fields.document_type,
    file_name: fields.file_name,
    content_type: fields.content_type,
    size_bytes: fields.size_bytes,
    created_at: instant,
    finished_at: orNull(instant),
  })
  .meta({ id: 'KybScanJob' })

export const kybScanJobOf = ({ scan_status, scan_detail, added_at, scanned_at, ...document }: KybDocument) => ({
  ...document,
  status: scan_status,
  detail: scan_detail,
  created_at: added_at,
  finished_at: scanned_at,
})
