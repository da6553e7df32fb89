import { auditOf, type Tx } from '@svc/transact'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { saveSearches } from '../../db/jobs.ts'
import { merchantRules } from '../../db/merchant-rules.ts'
import { insertOffers, offersOf, setOfferState } from '../../db/offers.ts'
import { roundCandidates } from '../../db/round-candidates.ts'
import { beginRounds, retrace, tracedInRounds } from '../../db/rounds.ts'
import { askRiders } from '../../domain/ask-riders.ts'
import type { DispatchRules } from '../../domain/dispatch-rules.ts'
import type { Job } from '../../domain/job.ts'
import { type SearchStep, searchStep } from '../../domain/search-step.ts'
import { openProgress } from '../progress/record-progress.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/**
 * Does what is due about these orders and decides when each is looked at again: as many statements as for one, for what is
 * decided about an order depends on no other. The jobs are locked.
 */
export async function advanceSearches(ctx: Pick<Context, 'config'>, tx: Tx, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return
  const rules = rulesOf(ctx.config)
  const merchants = await merchantRules(
    tx,
    jobs.map(({ merchantId }) => merchantId),
  )
  const offered = Map.groupBy(
    await offersOf(
      tx,
      jobs.map(({ orderId }) => orderId),
    ),
    ({ orderId }) => orderId,
  )
  const searches = jobs.map((job) => {
    const merchant = merchants.get(job.merchantId)!
    const offers = offered.get(job.orderId) ?? []
    const step = searchStep({ job, offers, merchant, rules, opensAt: merchant.opensAt, now: tx.now })
    return { before: job, job: jobAfterStep(job, step, tx.now), step, offers, merchant }
  })
  const end = (state: 'expired' | 'withdrawn') =>
    setOfferState(
      tx,
      searches.flatMap(({ step }) => step[state]),
      state,
    )
  await end('expired')
  await end('withdrawn')
  for (const { before, step } of searches) {
    if (step.announceDelayed) await openProgress(tx, before, 'delayed')
    if (step.announceExhausted) await announceExhausted(tx, before)
  }
  const asking = searches.filter(({ step }) => step.ask)
  const asked = await ask(tx, asking, rules)
  const idle = searches.filter(({ step }) => !step.ask).map(({ job }) => job)
  await saveSearches(tx, [...idle, ...asked])
}

type Search = Omit<Parameters<typeof askRiders>[0], 'candidates' | 'recorded' | 'rules' | 'now'>

/** Puts each of the orders to its next riders; answers the jobs as they are then. */
async function ask(tx: Tx, searches: readonly Search[], rules: DispatchRules): Promise<Job[]> {
  const candidates = await roundCandidates(
    tx,
    searches.map(({ job, merchant: { fleetOnly } }) => ({ job, fleetOnly })),
    rules,
  )
  const within = searches.map(({ job }) => job).filter(({ step }) => step > 0)
  const recorded = await tracedInRounds(tx, within)
  const asked = searches.map((search) => {
    const { orderId } = search.job
    const found = { candidates: candidates.get(orderId) ?? [], recorded: recorded.get(orderId) ?? [] }
    return askRiders({ ...search, ...found, rules, now: tx.now })
  })
  await insertOffers(
    tx,
    asked.flatMap(({ offers }) => offers),
  )
  const looks = asked.flatMap((one) => one.looks)
  await beginRounds(
    tx,
    looks.filter(({ isNew }) => isNew),
  )
  await retrace(
    tx,
    looks.filter(({ isNew }) => !isNew),
  )
  return asked.map(({ job }) => job)
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
