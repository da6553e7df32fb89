import { randomUUID } from 'node:crypto'
import type { Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import type { MailAttachment } from '../domain/mail.ts'

type AttachmentOcrStatus = 'pending' | 'succeeded' | 'failed' | 'unavailable'

/** What becomes of an attachment of a mail. */
export interface AttachmentOcrJob {
  id: string
  channel: string
  merchantId: string
  /** Of the mail. */
  hookId: string
  status: AttachmentOcrStatus
  /** Tries since it was begun last. */
  attempts: number
  error: string | null
  /** Of the order that the mail became. */
  orderId: string | null
  fileName: string | null
  contentType: string
  /** Null until it is stored. */
  sizeBytes: number | null
  createdAt: Date
  resolvedAt: Date | null
}

/** The attachments of a mail, and why nobody reads them; null where somebody does. */
export interface OpenedAttachments {
  hookId: string
  channel: string
  merchantId: string
  emailId: string
  attachments: readonly MailAttachment[]
  unavailable: string | null
}

/** Opens a job for each attachment that has none, and begins those anew that came to nothing. */
export async function openAttachmentJobs(tx: Tx, opened: OpenedAttachments): Promise<void> {
  const { hookId, channel, merchantId, emailId, attachments, unavailable } = opened
  for (const { id, fileName, contentType } of attachments)
    await tx.sql(
      `INSERT INTO attachment_ocr_jobs AS job
         (id, hook_id, channel, merchant_id, email_id, attachment_id, file_name, content_type, status, attempts, error, next_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, app_now(), app_now())
       ON CONFLICT (hook_id, attachment_id) DO UPDATE SET
         status = excluded.status, attempts = 0, error = excluded.error, next_at = app_now()
        WHERE job.status IN ('failed', 'unavailable')`,
      [
        randomUUID(),
        hookId,
        channel,
        merchantId,
        emailId,
        id,
        fileName,
        contentType,
        unavailable === null ? 'pending' : 'unavailable',
        unavailable,
      ],
    )
}

const COLUMNS = `job.id, job.channel, job.merchant_id AS "merchantId", job.hook_id AS "hookId", job.status, job.attempts, job.error,
  made.order_id AS "orderId", job.file_name AS "fileName", job.content_type AS "contentType", job.size_bytes AS "sizeBytes",
  job.created_at AS "createdAt", job.resolved_at AS "resolvedAt"`

export interface AttachmentFilter {
  merchantId?: string | undefined
}

/** A page of jobs, newest first, and how many there are. */
export async function listAttachmentJobs(
  sql: Tx['sql'],
  { merchantId }: AttachmentFilter,
  { limit, offset }: Page,
): Promise<{ items: AttachmentOcrJob[]; total: number }> {
  const values = merchantId === undefined ? [] : [merchantId]
  const where = merchantId === undefined ? '' : 'WHERE job.merchant_id = $1'
  const { rows: items } = await sql<AttachmentOcrJob>(
    `SELECT ${COLUMNS} FROM attachment_ocr_jobs job LEFT JOIN normalization_jobs made ON made.id = job.hook_id ${where}
      ORDER BY job.created_at DESC, job.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  )
  const { rows } = await sql<{ total: number }>(
    `SELECT count(*)::int AS total FROM attachment_ocr_jobs job ${where}`,
    values,
  )
  return { items, total: rows[0]!.total }
}
