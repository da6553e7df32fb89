import { buffer } from 'node:stream/consumers'
import { ServiceError } from '@svc/errors'
import { beginsAs } from '@svc/object-store'
import { metrics } from '@svc/telemetry'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import {
  type AttachmentResult,
  type ClaimedAttachment,
  claimAttachment,
  countAttachment,
  storeReading,
  storeStep,
} from '../../db/attachment-ocr-jobs.ts'
import { hurryJob, type Turn } from '../../db/normalization-jobs.ts'
import { lockHook } from '../../db/other-delivery.ts'
import { ATTEMPTS_EXHAUSTED } from '../../domain/hook.ts'
import { pictureFault } from '../../domain/picture.ts'
import { NotTakenError } from '../../peers/mailbox.ts'
import { UnreadableError } from '../../peers/text-reader.ts'

/** The longest step but reading is a fetch, whose notice and bytes may take 72 s. */
const STEP_SECONDS = 75
const MARGIN_SECONDS = 15
const STORE_TIMEOUT_MS = 60_000
const FIRST_BACKOFF_MS = 2_000
const MAX_BACKOFF_MS = 600_000

const read = metrics.counter('attachments_read_total', 'Tries to read an attachment of a mail, by what came of them')

/**
 * Beyond the deadline of each step, after which a lease begins anew: what has no answer by then is nobody's any more, and what
 * a process that died has left is taken up so soon.
 */
const leaseSeconds = ({ ocrTimeout }: Config): number =>
  Math.max(STEP_SECONDS, Math.ceil(ocrTimeout / 1_000) + MARGIN_SECONDS)

/**
 * Fetches one attachment that is due, stores it and reads its text; true where there was one. What a process that died has
 * left is done again from the last step that is written down, under the same key. The mail is looked at anew when it is over.
 */
export async function readAttachment(ctx: Context, turn: Turn, stopping: AbortSignal): Promise<boolean> {
  const job = await claimAttachment(ctx.transact, turn, leaseSeconds(ctx.config))
  if (!job) return false
  ctx.failpoint('attachment claimed')
  const result = await resultOf(ctx, job, stopping)
  ctx.failpoint('attachment read')
  await ctx.transact('every tenant', async (tx) => {
    // In the order of those who hand on.
    await lockHook(tx, job.hookId)
    if (!(await storeReading(tx, job, result)) || result.status === 'pending') return
    await hurryJob(tx, job.hookId)
    tx.afterCommit(() => ctx.normalizer.wake())
  })
  read.add(1, { status: result.status })
  return true
}

async function resultOf(ctx: Context, job: ClaimedAttachment, stopping: AbortSignal): Promise<AttachmentResult> {
  const { attachmentMaxAttempts } = ctx.config
  if (job.attempts > attachmentMaxAttempts) return { status: 'failed', error: job.error ?? ATTEMPTS_EXHAUSTED }
  try {
    return await readText(ctx, job, stopping)
  } catch (error) {
    if (error instanceof NotTakenError || error instanceof UnreadableError)
      return { status: 'failed', error: error.reason }
    const code = error instanceof ServiceError ? error.code : 'internal_error'
    ctx.logger.warn({ err: error, attachment: job.id, attempts: job.attempts }, 'an attachment could not be read')
    if (job.attempts >= attachmentMaxAttempts) return { status: 'failed', error: code }
    const againInMs = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(job.attempts - 1, 20), MAX_BACKOFF_MS)
    return { status: 'pending', error: code, againInMs }
  }
}

async function readText(ctx: Context, job: ClaimedAttachment, stopping: AbortSignal): Promise<AttachmentResult> {
  const { contentType } = job
  const bytes = job.sizeBytes === null ? await fetched(ctx, job) : await stored(ctx, job)
  if (!Buffer.isBuffer(bytes)) return bytes
  if (!ctx.textReader.reads(contentType)) return { status: 'unavailable', error: 'ocr_not_configured' }
  const isPicture = contentType !== 'application/pdf'
  const fault = isPicture ? pictureFault(contentType, bytes, ctx.config.ocrMaxPixels) : null
  if (fault !== null) return { status: 'failed', error: fault }
  const text = await ctx.textReader.read(contentType, bytes, stopping)
  return { status: 'succeeded', error: null, text }
}

/** Its bytes from the provider, once they are in the store. */
async function fetched(ctx: Context, job: ClaimedAttachment): Promise<Buffer | AttachmentResult> {
  const { mailbox, objectStore } = ctx
  if (!mailbox) return { status: 'unavailable', error: 'mail_not_configured' }
  if (!objectStore) return { status: 'unavailable', error: 'storage_not_configured' }
  const { attachmentMaxBytes: maxBytes, attachmentBytesPerDay: bytesPerDay } = ctx.config
  const isWithin = await ctx.transact('every tenant', (tx) => countAttachment(tx, job, { maxBytes, bytesPerDay }))
  if (!isWithin) return { status: 'unavailable', error: 'quota' }
  const bytes = await mailbox.attachment(job.emailId, job.attachmentId)
  if (bytes === null) return { status: 'unavailable', error: 'attachment_not_found' }
  const { contentType } = job
  if (!beginsAs(contentType, bytes)) return { status: 'failed', error: 'other_type' }
  ctx.failpoint('attachment fetched')
  const storageKey = `mail/${job.merchantId}/${job.hookId}/${job.id}`
  await ctx.transact('every tenant', (tx) => storeStep(tx, job, { storageKey }, leaseSeconds(ctx.config)))
  await objectStore.write(storageKey, { contentType, bytes }, AbortSignal.timeout(STORE_TIMEOUT_MS))
  ctx.failpoint('attachment stored')
  const sizeBytes = bytes.length
  await ctx.transact('every tenant', (tx) => storeStep(tx, job, { sizeBytes }, leaseSeconds(ctx.config)))
  return bytes
}

async function stored(ctx: Context, job: ClaimedAttachment): Promise<Buffer | AttachmentResult> {
  const { objectStore } = ctx
  if (!objectStore || job.storageKey === null) return { status: 'unavailable', error: 'storage_not_configured' }
  const stream = await objectStore.read(job.storageKey, AbortSignal.timeout(STORE_TIMEOUT_MS))
  if (stream === null) return { status: 'failed', error: 'object_missing' }
  const bytes = await buffer(stream)
  await ctx.transact('every tenant', (tx) => storeStep(tx, job, {}, leaseSeconds(ctx.config)))
  return bytes
}
