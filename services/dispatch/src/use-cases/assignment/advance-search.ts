import { auditOf, type Tx } from '@svc/transact'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { saveJob } from '../../db/jobs.ts'
import { merchantRules, opensAt } from '../../db/merchant-rules.ts'
import { insertOffer, offersOf, setOfferState } from '../../db/offers.ts'
import { roundCandidates } from '../../db/round-candidates.ts'
import { beginRound, retrace, tracedInRound } from '../../db/rounds.ts'
import { askedTogether, byRank, type Candidate, leftOut } from '../../domain/candidate.ts'
import type { DispatchRules, MerchantRules } from '../../domain/dispatch-rules.ts'
import type { Job } from '../../domain/job.ts'
import { type Offer, offerTo } from '../../domain/offer.ts'
import { nextLookAt, type SearchStep, searchStep } from '../../domain/search-step.ts'
import { type Judged, traced } from '../../domain/trace.ts'
import { openProgress } from '../progress/record-progress.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** Does what is due about an order and decides when it is looked at again. The job is locked. */
export async function advanceSearch(ctx: Pick<Context, 'config'>, tx: Tx, job: Job): Promise<void> {
  const rules = rulesOf(ctx.config)
  const merchant = await merchantRules(tx, job.merchantId)
  const offers = await offersOf(tx, job.orderId)
  const situation = { job, offers, merchant, rules, opensAt: await opensAt(tx, job.merchantId), now: tx.now }
  const step = searchStep(situation)
  await setOfferState(tx, step.expired, 'expired')
  await setOfferState(tx, step.withdrawn, 'withdrawn')
  if (step.announceDelayed) await openProgress(tx, job, 'delayed')
  if (step.announceExhausted) await announceExhausted(tx, job)

  const after = jobAfterStep(job, step, tx.now)
  await saveJob(tx, step.ask ? await askRiders(tx, { job: after, step, offers, merchant, rules }) : after)
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

interface Asking {
  job: Job
  step: SearchStep
  /** Every offer of the order so far. */
  offers: readonly Offer[]
  merchant: MerchantRules
  rules: DispatchRules
}

/**
 * Puts the order to the next riders of the present round, or of the first wider one that has any. A pass that has been
 * through all rounds begins anew after a pause; one that asked no rider leaves its numbers to the next.
 */
async function askRiders(tx: Tx, asking: Asking): Promise<Job> {
  const { rules, merchant, offers, step } = asking
  const candidates = await roundCandidates(tx, asking.job, rules, merchant)
  let job = asking.job
  let isNewRound = false
  for (;;) {
    if (job.step > 0 && (await askRound(tx, { ...asking, job }, candidates, isNewRound))) break
    if (job.step >= rules.radiiM.length) {
      const hasAsked = offers.some(({ kind, round }) => kind === 'auto' && round > job.round - rules.radiiM.length)
      job = { ...job, step: 0, round: hasAsked ? job.round : job.round - rules.radiiM.length }
      break
    }
    job = { ...job, step: job.step + 1, round: job.round + 1 }
    isNewRound = true
  }
  return { ...job, nextAt: nextLookAt(job, step, rules, tx.now) }
}

/** One look of a round; says whether it found a rider to ask. */
async function askRound(
  tx: Tx,
  { job, offers, merchant, rules }: Asking,
  candidates: readonly Candidate[],
  isNewRound: boolean,
): Promise<boolean> {
  const radiusM = rules.radiiM[job.step - 1] ?? rules.radiiM.at(-1)!
  const asked = offers.filter(({ kind }) => kind === 'auto')
  const sought = {
    radiusM,
    vehicleType: job.vehicleType,
    // The sandbox rider is at the disposal of every test order.
    codMinor: job.isTest ? 0 : (job.codAmountMinor ?? 0),
    offered: new Set(asked.map(({ riderId }) => riderId!)),
  }
  const reasons = new Map(candidates.map((candidate) => [candidate, leftOut(candidate, sought, rules)]))
  const ranked = candidates.filter((candidate) => reasons.get(candidate) === null).toSorted(byRank(rules.loadPenaltyM))
  const rankOf = new Map(ranked.map((candidate, index) => [candidate, asked.length + index + 1]))
  for (const candidate of askedTogether(ranked, merchant)) {
    await insertOffer(tx, offerTo(candidate, job, rankOf.get(candidate)!, rules, tx.now))
  }

  const rest = candidates.filter((candidate) => reasons.get(candidate) !== null)
  const judged = [...ranked, ...rest].map(
    (candidate): Judged => ({
      candidate,
      reason: reasons.get(candidate) ?? null,
      rank: rankOf.get(candidate) ?? null,
    }),
  )
  const inRound = new Set(asked.filter(({ round }) => round === job.round).map(({ riderId }) => riderId!))
  if (isNewRound) await beginRound(tx, job, radiusM, traced([], judged, new Set(), rules.loadPenaltyM))
  else await retrace(tx, job, traced(await tracedInRound(tx, job), judged, inRound, rules.loadPenaltyM))
  return ranked.length > 0
}

/** The operator's settings as the rules of dispatch. */
const rulesOf = (config: Config): DispatchRules => ({
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
