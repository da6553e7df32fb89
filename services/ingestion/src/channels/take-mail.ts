import type { Context } from '../context.ts'
import { openAttachmentJobs, type ReadAttachment, readAttachments } from '../db/attachment-ocr-jobs.ts'
import { findMail, storeMail } from '../db/inbound-mails.ts'
import { findShop } from '../db/merchants.ts'
import type { ClaimedJob } from '../db/normalization-jobs.ts'
import type { Mail, MailRecord } from '../domain/mail.ts'
import type { Channel } from './channel.ts'
import { FETCHED } from './email-a/normalize.ts'

/** A job whose body holds all that is known of its mail. */
export interface MailJob extends ClaimedJob {
  timezone: string
  /** An attachment may tell more. */
  isBeingRead: boolean
}

/**
 * Fetches the mail of a job, once for each attempt, and opens jobs for its attachments; null for a hook that tells of no mail.
 * What was read of attachments until now stands in its body too.
 */
export async function takeMail(ctx: Context, job: ClaimedJob): Promise<MailJob | null> {
  const channel = ctx.channels.get(job.channel)
  const mail = channel?.mailIn?.(job)
  if (!channel || !mail) return null
  const kept = await ctx.transact('every tenant', (tx) => findMail(tx, job.id))
  if (kept?.attempt !== job.version) await fetchMail(ctx, job, channel, mail)
  return ctx.transact('every tenant', async (tx) => {
    const attachments = await readAttachments(tx, job.id)
    const found = await findMail(tx, job.id)
    const shop = await findShop(tx, job.merchantId)
    return {
      ...job,
      body: wholeBody(job.body, found?.record ?? null, attachments),
      timezone: shop?.timezone ?? 'UTC',
      isBeingRead: attachments.some(({ status }) => status === 'pending'),
    }
  })
}

async function fetchMail(ctx: Context, job: ClaimedJob, channel: Channel, mail: Mail): Promise<void> {
  const { id: hookId, merchantId, version: attempt } = job
  const body = await ctx.mailbox?.mail(mail.id)
  const fetched = (body && channel.fetchedMail?.(body)) ?? null
  ctx.failpoint('mail fetched')
  const known = new Map([...mail.attachments, ...(fetched?.attachments ?? [])].map((each) => [each.id, each]))
  await ctx.transact('every tenant', async (tx) => {
    await storeMail(tx, hookId, { attempt, record: fetched?.record ?? null })
    await openAttachmentJobs(tx, {
      hookId,
      channel: channel.name,
      merchantId,
      emailId: mail.id,
      attachments: [...known.values()].slice(0, ctx.config.attachmentsPerMail),
      unavailable: unavailableFor(ctx),
    })
    tx.afterCommit(() => ctx.attachmentReader.wake())
  })
}

/** Why nobody reads attachments here. */
function unavailableFor({ mailbox, objectStore }: Context): string | null {
  if (!mailbox) return 'mail_not_configured'
  return objectStore ? null : 'storage_not_configured'
}

/** The bytes of a notice with what was fetched behind them, digit for digit what the provider has signed. */
function wholeBody(body: Buffer, record: MailRecord | null, attachments: readonly ReadAttachment[]): Buffer {
  if (record === null && attachments.length === 0) return body
  const read = attachments.map(({ id, fileName, status, text }) => ({ id, file_name: fileName, status, text }))
  const told = JSON.stringify({ ...record, attachments: read })
  return Buffer.from(`${body.toString('utf8').trimEnd().slice(0, -1)},"${FETCHED}":${told}}`)
}
