import { ERRORS, ServiceError } from '@svc/errors'
import { type By, systemBy } from '@svc/grpc'
import { metrics } from '@svc/telemetry'
import type { Tx } from '@svc/transact'
import { confirmedOrder } from '../channels/messaging-a/confirmed-order.ts'
import { normalizedHook, standardizedOf } from '../channels/normalized-hook.ts'
import type { Normalized } from '../channels/normalizer.ts'
import { type MailJob, takeMail } from '../channels/take-mail.ts'
import type { Context } from '../context.ts'
import { areAttachmentsPending } from '../db/attachment-ocr-jobs.ts'
import { findConfirmed } from '../db/conversations.ts'
import { type Known, knownOfJob } from '../db/known-of-job.ts'
import { type ClaimedJob, type JobResult, storeResult, type ToldBefore } from '../db/normalization-jobs.ts'
import { lockHook } from '../db/other-delivery.ts'
import type { Settled } from '../db/settle-jobs.ts'
import { ATTEMPTS_EXHAUSTED } from '../domain/hook.ts'
import { orderReply } from '../messages/conversation.ts'
import { NotTakenError } from '../peers/mailbox.ts'
import { openReply } from './conversations/send-reply.ts'
import { judged, judgeHook } from './judge-hook.ts'

const DEADLINE_MS = 20_000
const DAY_MS = 86_400_000
const MAX_BACKOFF_MS = 600_000
/** Whoever reads the last attachment of a mail makes it due at once. */
const LOOK_AGAIN_MS = 60_000

const normalized = metrics.counter('hooks_normalized_total', 'Tries to make a hook into an order, by what came of them')

/**
 * Makes one hook that is due into what it tells of: a new order, a payment mark, a cancellation, or nothing. True where
 * there was one. Order takes effect once for its key, so a try whose answer was lost is made again; what a person must
 * look at becomes a dead letter with its reason.
 */
export async function normalizeHook(
  ctx: Context,
  claim: () => Promise<ClaimedJob | 'contended' | null>,
): Promise<boolean> {
  const job = await claim()
  if (job === null) return false
  if (job === 'contended') return true
  ctx.failpoint('job claimed')
  const result = await resultOf(ctx, job)
  ctx.failpoint('order answered')
  if (isSettled(result)) {
    const state = result.status === 'ignored' ? 'ignored' : 'applied'
    if (await ctx.settleJob({ job, result })) judged.add(1, { state })
  } else await storeTry(ctx, job, result)
  normalized.add(1, { channel: job.channel, status: result.status })
  return true
}

const isSettled = (result: JobResult): result is Settled['result'] =>
  (result.status === 'succeeded' || result.status === 'ignored') && !result.isConfirmed

/** Writes what a try came to where more follows: another try, a person, a word to the customer. */
async function storeTry(ctx: Context, job: ClaimedJob, result: JobResult): Promise<void> {
  await ctx.transact('every tenant', async (tx) => {
    // In the order of those who hand on.
    await lockHook(tx, job.id)
    const isLate = result.isWaiting && !(await areAttachmentsPending(tx, job.id))
    if (!(await storeResult(tx, job, isLate ? { ...result, againInMs: 0 } : result))) return
    if (result.status === 'pending') return
    const state = result.status === 'failed' ? 'dead' : result.status === 'ignored' ? 'ignored' : 'applied'
    const { id: hookId, version: attempt, merchantId } = job
    await judgeHook(ctx, tx, { hookId, attempt, state, reason: result.error, merchantId })
    await tellCustomer(ctx, tx, job, result.status === 'succeeded')
  })
}

async function resultOf(ctx: Context, job: ClaimedJob): Promise<JobResult> {
  if (job.attempts > ctx.config.normalizationMaxAttempts) return { status: 'failed', error: ATTEMPTS_EXHAUSTED }
  try {
    return await applied(ctx, systemBy('ingestion', { deadlineMs: DEADLINE_MS }), job)
  } catch (error) {
    return failed(ctx, job, error)
  }
}

/** Refusals that pass by themselves. */
const PASSING: ReadonlySet<string> = new Set(['rate_limited', 'idempotency_in_progress', 'unauthorized', 'forbidden'])

function failed({ config, logger }: Context, { id, channel, attempts }: ClaimedJob, error: unknown): JobResult {
  if (error instanceof NotTakenError) return { status: 'failed', error: error.reason }
  const code = error instanceof ServiceError ? error.code : 'internal_error'
  const isOpen = ERRORS[code].http >= 500 || PASSING.has(code)
  const field = error instanceof ServiceError ? (error.details as { field?: string } | undefined)?.field : undefined
  if (!isOpen) return { status: 'failed', error: code, field }
  const isLast = attempts >= config.normalizationMaxAttempts
  logger.warn({ err: error, hook: id, channel, attempts }, 'a hook could not be made into an order')
  if (isLast) return { status: 'failed', error: code }
  return { status: 'pending', error: code, againInMs: Math.min(2 ** Math.min(attempts - 1, 20) * 1000, MAX_BACKOFF_MS) }
}

async function applied(ctx: Context, by: By, claimed: ClaimedJob): Promise<JobResult> {
  const mail = await takeMail(ctx, claimed)
  const job: ClaimedJob | MailJob = mail ?? claimed
  const { confirmed, before, settings } = await knownOfJob(ctx.reads, ctx.openSecret, job)
  // What a hook says by itself, or all that its customer has said until it confirmed that.
  const said = confirmed
    ? confirmedOrder(confirmed.externalOrderId, confirmed.told)
    : normalizedHook(ctx.channels.get(job.channel), job)
  const isConfirmed = confirmed !== undefined
  if (said.outcome === 'ignored') return { status: 'ignored', error: said.reason, isConfirmed }
  if (said.outcome === 'dead_letter' && mail?.isBeingRead)
    return { status: 'pending', error: 'attachments_pending', againInMs: LOOK_AGAIN_MS, isWaiting: true }
  if (said.outcome === 'dead_letter') return { status: 'failed', error: said.reason, field: said.field }
  const toldAt = said.toldAt ?? job.receivedAt
  const told = { outcome: said.outcome, toldAt, isConfirmed }
  const overtaken =
    overtakenBy(before, toldAt) ?? (said.outcome !== 'order' && isForgotten(ctx, job, toldAt) ? 'stale' : null)
  if (overtaken) return { status: 'ignored', error: overtaken, ...told }
  return { ...told, ...(await effectOf(ctx, by, job, { said, before, settings })) }
}

async function tellCustomer(ctx: Context, tx: Tx, { id }: ClaimedJob, isPlaced: boolean): Promise<void> {
  const confirmed = await findConfirmed(tx, id)
  if (confirmed) await openReply(ctx, tx, { line: confirmed, text: orderReply(isPlaced), isOfApp: confirmed.isOfApp })
}

/** Hooks come in any order: one that is older than what is known of its order says nothing about it. */
function overtakenBy({ newestAt, cancelledAt }: ToldBefore, toldAt: Date): string | null {
  if (newestAt && toldAt < newestAt) return 'stale'
  return cancelledAt && toldAt <= cancelledAt ? 'cancelled_before' : null
}

/**
 * What was told so long before it came that nobody remembers what has been told since: a body that was caught and is sent once
 * more. It may begin an order, and changes none.
 */
const isForgotten = ({ config }: Context, { receivedAt }: ClaimedJob, toldAt: Date): boolean =>
  toldAt.getTime() < receivedAt.getTime() - config.hookRetentionDays * DAY_MS

type Effective = Extract<Normalized, { externalOrderId: string }>

async function effectOf(
  ctx: Context,
  by: By,
  job: ClaimedJob,
  { said, before, settings }: Omit<Known, 'confirmed'> & { said: Effective },
): Promise<JobResult> {
  const { merchantId, channel: source } = job
  const key = { merchantId, isTest: said.isTest, source, externalOrderId: said.externalOrderId }
  if (said.outcome === 'order') return ordered(ctx, by, job, { said, key, before, settings })
  const effect =
    said.outcome === 'cancel'
      ? ctx.orders.cancel(by, key, said.reason)
      : ctx.orders.markPayment(by, key, said.paymentVerified)
  try {
    return { status: 'succeeded', error: null, orderId: await effect }
  } catch (error) {
    // It came before its order, or of an order that never was one here.
    if (error instanceof ServiceError && error.code === 'not_found')
      return { status: 'ignored', error: 'order_not_known' }
    throw error
  }
}

interface Ordering extends Omit<Known, 'confirmed'> {
  said: Extract<Normalized, { outcome: 'order' }>
  key: { merchantId: string; isTest: boolean | null; source: string; externalOrderId: string }
}

async function ordered(
  ctx: Context,
  by: By,
  job: ClaimedJob,
  { said, key, before, settings }: Ordering,
): Promise<JobResult> {
  const standardized = standardizedOf(said.order, settings, job.claimedAt)
  if (!standardized) return { status: 'failed', error: 'pickup_not_configured', field: 'pickup' }
  const standing = await ctx.merchants.standingOf(by, job.merchantId)
  const rawPayloadJson = job.body.toString('utf8')
  const { paymentVerified } = said
  const made = await ctx.orders.ingest(by, { key, rawPayloadJson, standardized, paymentVerified, standing })
  ctx.failpoint('order made')
  // What is told at the same time in two ways, paid and not, is paid.
  const toldAt = said.toldAt ?? job.receivedAt
  const isNewest = !before.newestAt || toldAt > before.newestAt
  const isNews = !isForgotten(ctx, job, toldAt) && (paymentVerified || isNewest)
  if (made.idempotent && made.paymentVerified !== paymentVerified && isNews)
    await ctx.orders.markPayment(by, key, paymentVerified)
  return { status: 'succeeded', error: null, orderId: made.orderId }
}
