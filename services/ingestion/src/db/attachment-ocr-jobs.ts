import { randomUUID } from 'node:crypto'
import { boundedCount, type Database } from '@svc/database'
import type { Page } from '@svc/inputs'
import type { Transact, Tx } from '@svc/transact'
import type { MailAttachment } from '../domain/mail.ts'
import { firstTurn, type Turn } from './normalization-jobs.ts'

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
interface OpenedAttachments {
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
  const { rows } = await sql<{ total: number }>(boundedCount(`attachment_ocr_jobs job ${where}`), values)
  return { items, total: rows[0]!.total }
}

/** What was read of an attachment of a mail. */
export interface ReadAttachment {
  /** The provider's. */
  id: string
  fileName: string | null
  status: AttachmentOcrStatus
  text: string | null
}

/** How the attachments of a mail stand, in the order of their ids. */
export async function readAttachments(tx: Tx, hookId: string): Promise<ReadAttachment[]> {
  const { rows } = await tx.sql<ReadAttachment>(
    `SELECT attachment_id AS id, file_name AS "fileName", status, read_text AS text
       FROM attachment_ocr_jobs WHERE hook_id = $1 ORDER BY attachment_id`,
    [hookId],
  )
  return rows
}

/** An attachment that a process works on. */
export interface ClaimedAttachment {
  id: string
  hookId: string
  merchantId: string
  emailId: string
  attachmentId: string
  contentType: string
  storageKey: string | null
  /** Null until it is stored. */
  sizeBytes: number | null
  attempts: number
  /** Of the try before. */
  error: string | null
  lease: string
}

/** Takes the oldest attachment that is due of the next merchant in turn, under a lease; null where none is to be had. */
export async function claimAttachment(
  transact: Transact,
  turn: Turn,
  leaseSeconds: number,
): Promise<ClaimedAttachment | null> {
  const job =
    (await claimBehind(transact, turn.merchantId, leaseSeconds)) ??
    (await claimBehind(transact, firstTurn().merchantId, leaseSeconds))
  turn.merchantId = job?.merchantId ?? firstTurn().merchantId
  return job
}

function claimBehind(transact: Transact, merchantId: string, leaseSeconds: number): Promise<ClaimedAttachment | null> {
  return transact('every tenant', async (tx) => {
    const { rows } = await tx.sql<ClaimedAttachment>(
      `UPDATE attachment_ocr_jobs job
          SET lease = $1, lease_until = app_now() + make_interval(secs => $2), attempts = job.attempts + 1
        WHERE job.id = (
          SELECT due.id FROM attachment_ocr_jobs due
           WHERE due.status = 'pending' AND due.merchant_id > $3 AND due.next_at <= (SELECT app_now())
             AND (due.lease_until IS NULL OR due.lease_until <= (SELECT app_now()))
           ORDER BY due.merchant_id, due.next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, hook_id AS "hookId", merchant_id AS "merchantId", email_id AS "emailId",
                 attachment_id AS "attachmentId", content_type AS "contentType", storage_key AS "storageKey",
                 size_bytes AS "sizeBytes", attempts, error, lease`,
      [randomUUID(), leaseSeconds, merchantId],
    )
    return rows[0] ?? null
  })
}

/** In how long an attachment can be had; null where none is pending. */
export async function nextAttachmentInMs(transact: Transact): Promise<number | null> {
  const { rows } = await transact('every tenant', (tx) =>
    tx.sql<{ ms: number | null }>(
      `SELECT extract(epoch FROM min(greatest(next_at, coalesce(lease_until, next_at))) - app_now())::float8 * 1000 AS ms
         FROM attachment_ocr_jobs WHERE status = 'pending'`,
    ),
  )
  return rows[0]?.ms ?? null
}

const TAKEN = 'the attachment was taken by another process meanwhile'

/** What may be fetched. */
interface Budget {
  /** The most that one may have. */
  maxBytes: number
  bytesPerDay: number
}

/**
 * Lets an attachment in where its merchant has room for the largest within 24 hours; false where it has none. Those that are
 * fetched at the same time count as the largest, so that together they do not get past what is left.
 */
export async function countAttachment(
  tx: Tx,
  { id, lease, merchantId }: ClaimedAttachment,
  { maxBytes, bytesPerDay }: Budget,
): Promise<boolean> {
  await tx.sql(`SELECT pg_advisory_xact_lock(hashtextextended('attachments:' || $1, 0))`, [merchantId])
  const { rowCount } = await tx.sql(
    `UPDATE attachment_ocr_jobs SET counted_at = app_now(), counted_bytes = $3
      WHERE id = $1 AND lease = $2
        AND $3::int + (SELECT coalesce(sum(other.counted_bytes), 0) FROM attachment_ocr_jobs other
                        WHERE other.merchant_id = $4 AND other.counted_at > (SELECT app_now()) - interval '24 hours'
                          AND other.id <> $1) <= $5::bigint`,
    [id, lease, maxBytes, merchantId, bytesPerDay],
  )
  return rowCount > 0
}

/** What is known of an attachment after a step. */
interface Step {
  /** Where the object will be, before it is there. */
  storageKey?: string
  /** It is there. */
  sizeBytes?: number
}

/** Writes down what a step came to, and begins the lease anew for the next one. */
export async function storeStep(
  tx: Tx,
  { id, lease }: ClaimedAttachment,
  { storageKey, sizeBytes }: Step,
  leaseSeconds: number,
): Promise<void> {
  const { rowCount } = await tx.sql(
    `UPDATE attachment_ocr_jobs SET
       storage_key = coalesce($3, storage_key), size_bytes = coalesce($4, size_bytes), counted_bytes = coalesce($4, counted_bytes),
       lease_until = app_now() + make_interval(secs => $5)
     WHERE id = $1 AND lease = $2`,
    [id, lease, storageKey ?? null, sizeBytes ?? null, leaseSeconds],
  )
  if (rowCount === 0) throw new Error(TAKEN)
}

/** What became of one try. */
export interface AttachmentResult {
  status: AttachmentOcrStatus
  error: string | null
  text?: string
  /** Of a pending one. */
  againInMs?: number
}

/** Of more text the beginning is kept. */
const MAX_TEXT = 16_384

/** Writes what a try came to, under its lease, and gives room back that it did not need; false where the attachment was taken from it meanwhile. */
export async function storeReading(
  tx: Tx,
  { id, lease }: ClaimedAttachment,
  result: AttachmentResult,
): Promise<boolean> {
  const { status, error, text, againInMs = 0 } = result
  // What no line of a text holds the database does not take either.
  const kept = text
    ?.replaceAll(/[^\P{Cc}\n\t]/gu, ' ')
    .slice(0, MAX_TEXT)
    .toWellFormed()
  const { rowCount } = await tx.sql(
    `UPDATE attachment_ocr_jobs SET
       status = $3, error = $4, read_text = coalesce($5, read_text), lease = NULL, lease_until = NULL,
       counted_at = CASE WHEN storage_key IS NOT NULL THEN counted_at END,
       counted_bytes = CASE WHEN storage_key IS NOT NULL THEN counted_bytes END,
       next_at = app_now() + make_interval(secs => $6),
       resolved_at = CASE WHEN $3::attachment_ocr_status = 'succeeded' THEN app_now() END
     WHERE id = $1 AND lease = $2`,
    [id, lease, status, error, kept ?? null, againInMs / 1000],
  )
  return rowCount > 0
}

/** Where a stored attachment stands among all by age. */
export interface AttachmentAge {
  id: string
  storageKey: string
  /** To the microsecond. */
  at: string
}

/** Stored attachments of hooks that were done with so many days ago, or have been dead since, oldest first; of them those behind `after`. */
export async function oldestAttachments(
  worker: Database['worker'],
  days: number,
  after: AttachmentAge | null,
  limit: number,
): Promise<AttachmentAge[]> {
  const { rows } = await worker.query<AttachmentAge>(
    `SELECT job.id, job.storage_key AS "storageKey", job.created_at::text AS at
       FROM attachment_ocr_jobs job JOIN inbound_hooks hook ON hook.id = job.hook_id
      WHERE job.storage_key IS NOT NULL AND job.lease IS NULL
        AND CASE WHEN hook.state IN ('applied', 'ignored') THEN hook.received_at
                 WHEN hook.state = 'dead' THEN greatest(hook.dead_at, hook.handed_on_at)
            END < (SELECT app_now()) - make_interval(days => $1)
        AND ($2::timestamptz IS NULL OR (job.created_at, job.id) > ($2, $3))
      ORDER BY job.created_at, job.id LIMIT $4`,
    [days, after?.at ?? null, after?.id ?? null, limit],
  )
  return rows
}

/** Their objects are gone. */
export async function storeForgotten(worker: Database['worker'], ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await worker.query('UPDATE attachment_ocr_jobs SET storage_key = NULL, size_bytes = NULL WHERE id = ANY($1)', [ids])
}

/** For how long the attachment that has been due for longest has been so; 0 where none is. */
export async function oldestAttachmentSeconds(worker: Database['worker']): Promise<number> {
  const { rows } = await worker.query<{ seconds: number | null }>(
    `SELECT extract(epoch FROM app_now() - min(next_at))::float8 AS seconds
       FROM attachment_ocr_jobs WHERE status = 'pending' AND next_at <= (SELECT app_now())`,
  )
  return rows[0]?.seconds ?? 0
}

/** Whether an attachment of the mail of a hook may still tell more. */
export async function areAttachmentsPending(tx: Tx, hookId: string): Promise<boolean> {
  const { rows } = await tx.sql(`SELECT FROM attachment_ocr_jobs WHERE hook_id = $1 AND status = 'pending' LIMIT 1`, [
    hookId,
  ])
  return rows.length > 0
}
