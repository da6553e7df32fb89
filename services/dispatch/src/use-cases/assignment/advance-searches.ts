import { auditOf, type Tx } from '@svc/transact'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { insertJobs, saveSearches } from '../../db/jobs.ts'
import { merchantRules } from '../../db/merchant-rules.ts'
import { insertOffers, offersOf, setOfferState } from '../../db/offers.ts'
import { roundCandidates } from '../../db/round-candidates.ts'
import { beginRounds, retrace, tracedInRounds } from '../../db/rounds.ts'
import { askRiders } from '../../domain/ask-riders.ts'
import type { DispatchRules } from '../../domain/dispatch-rules.ts'
import type { Job } from '../../domain/job.ts'
import type { Offer } from '../../domain/offer.ts'
import { type SearchStep, searchStep } from '../../domain/search-step.ts'
import { openProgress } from '../progress/record-progress.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** What is decided about an order. */
interface Decided extends Pick<ReturnType<typeof askRiders>, 'job' | 'offers' | 'looks'> {
  before: Job
  step: SearchStep
}

/**
 * Does what is due about these orders and decides when each is looked at again: as many statements as for one, for what is
 * decided about an order depends on no other. The jobs are locked.
 */
export async function advanceSearches(ctx: Pick<Context, 'config'>, tx: Tx, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return
  const offered = await offersOf(
    tx,
    jobs.map(({ orderId }) => orderId),
  )
  const decided = await decide(ctx, tx, jobs, offered)
  await saveSearches(
    tx,
    decided.map(({ job }) => job),
  )
  await act(tx, decided)
}

/**
 * Stores orders that nobody has been asked to deliver yet together with the beginning of their searches: they are written
 * once. One that is stored already stays as it is. Answers whether one was put to a rider.
 */
export async function beginSearches(ctx: Pick<Context, 'config'>, tx: Tx, jobs: readonly Job[]): Promise<boolean> {
  if (jobs.length === 0) return false
  const decided = await decide(ctx, tx, jobs, [])
  const added = await insertJobs(
    tx,
    decided.map(({ job }) => job),
  )
  const begun = decided.filter(({ job }) => added.has(job.orderId))
  await act(tx, begun)
  return begun.some(({ offers }) => offers.length > 0)
}

/** Decides about these orders, of which these are all offers; nothing is written. */
async function decide(
  ctx: Pick<Context, 'config'>,
  tx: Tx,
  jobs: readonly Job[],
  offered: readonly Offer[],
): Promise<Decided[]> {
  const rules = rulesOf(ctx.config)
  const merchants = await merchantRules(
    tx,
    jobs.map(({ merchantId }) => merchantId),
  )
  const offersOfOrder = Map.groupBy(offered, ({ orderId }) => orderId)
  const searches = jobs.map((job) => {
    const merchant = merchants.get(job.merchantId)!
    const offers = offersOfOrder.get(job.orderId) ?? []
    const step = searchStep({ job, offers, merchant, rules, opensAt: merchant.opensAt, now: tx.now })
    return { before: job, job: jobAfterStep(job, step, tx.now), step, offers, merchant }
  })
  const asking = searches.filter(({ step }) => step.ask)
  const candidates = await roundCandidates(
    tx,
    asking.map(({ job, merchant: { fleetOnly } }) => ({ job, fleetOnly })),
    rules,
  )
  const recorded = await tracedInRounds(
    tx,
    asking.map(({ job }) => job).filter(({ step }) => step > 0),
  )
  return searches.map((search) => {
    const { before, job, step } = search
    if (!step.ask) return { before, job, step, offers: [], looks: [] }
    const found = { candidates: candidates.get(job.orderId) ?? [], recorded: recorded.get(job.orderId) ?? [] }
    return { before, step, ...askRiders({ ...search, ...found, rules, now: tx.now }) }
  })
}

/** Writes what was decided, but for the jobs themselves, which are locked or new. */
async function act(tx: Tx, decided: readonly Decided[]): Promise<void> {
  const end = (state: 'expired' | 'withdrawn') =>
    setOfferState(
      tx,
      decided.flatMap(({ step }) => step[state]),
      state,
    )
  await end('expired')
  await end('withdrawn')
  for (const { before, step } of decided) {
    if (step.announceDelayed) await openProgress(tx, before, 'delayed')
    if (step.announceExhausted) await announceExhausted(tx, before)
  }
  await insertOffers(
    tx,
    decided.flatMap(({ offers }) => offers),
  )
  const looks = decided.flatMap((one) => one.looks)
  await beginRounds(
    tx,
    looks.filter(({ isNew }) => isNew),
  )
  await retrace(
    tx,
    looks.filter(({ isNew }) => !isNew),
  )
}

function jobAfterStep(job: Job, step: SearchStep, now: Date): Job {
  const { search, searchStartedAt, nextAt } = step
  // A search that ended leaves nothing behind but the rounds that it counted.
  if (searchStartedAt === null) return { ...job, search, searchStartedAt, nextAt, delayedAt: null, step: 0 }
  return { ...job, search, searchStartedAt, nextAt, delayedAt: step.announceDelayed ? now : job.delayedAt }
}

async function announceExhausted(tx: Tx, job: Job): Promise<void> {
  await openProgress(tx, job, 'exhausted')
  const { merchantId, isTest, orderId, round, searchStartedAt } = job
  tx.publish(
    auditOf(
      { actor: { type: 'system', id: 'dispatch' } },
      {
        action: 'dispatch.exhausted',
        resourceType: 'order',
        resourceId: orderId,
        merchantId,
        isTest,
        after: { rounds: round, search_started_at: searchStartedAt },
      },
    ),
  )
}

/** The operator's settings as the rules of dispatch. */
export const rulesOf = (config: Config): DispatchRules => ({
  leadMs: config.dispatchLeadMinutes * MINUTE_MS,
  offerTtlMs: config.offerTtlSeconds * SECOND_MS,
  delayedAfterMs: config.dispatchDelayedMinutes * MINUTE_MS,
  exhaustedAfterMs: config.dispatchMaxMinutes * MINUTE_MS,
  retryMs: config.dispatchRetryMinutes * MINUTE_MS,
  radiiM: config.dispatchRadiiMetres,
  loadPenaltyM: config.dispatchLoadPenaltyMetres,
  maxActiveOrders: config.riderMaxActiveOrders,
  codCapMinor: config.riderCodCapMinor ?? null,
  maxLocationAgeSeconds: config.offerLocationMaxAgeSeconds,
  kycRequired: config.riderKycRequired,
})
