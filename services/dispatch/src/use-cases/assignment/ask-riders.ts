import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/outbox'
import { insertOffer } from '../../db/offers.ts'
import { roundCandidates } from '../../db/round-candidates.ts'
import { beginRound, retrace, tracedInRound } from '../../db/rounds.ts'
import { askedTogether, byRank, type Candidate, leftOut, score } from '../../domain/candidate.ts'
import type { DispatchRules, MerchantRules } from '../../domain/dispatch-rules.ts'
import type { Job } from '../../domain/job.ts'
import type { Offer } from '../../domain/offer.ts'
import { nextLookAt, type SearchStep } from '../../domain/search-step.ts'
import { type Judged, traced } from '../../domain/trace.ts'

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
 * through all rounds begins anew after a pause; one that asked nobody leaves its numbers to the next.
 */
export async function askRiders(tx: Tx, asking: Asking): Promise<Job> {
  const { rules, merchant, offers, step } = asking
  const seen = await roundCandidates(tx, asking.job, rules)
  const candidates = merchant.fleetOnly && !asking.job.isTest ? seen.filter(({ isFleet }) => isFleet) : seen
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

/** One look of a round; says whether it found somebody to ask. */
async function askRound(
  tx: Tx,
  { job, offers, merchant, rules }: Asking,
  candidates: readonly Candidate[],
  isNewRound: boolean,
): Promise<boolean> {
  const radiusM = rules.radiiM[job.step - 1] ?? rules.radiiM.at(-1)!
  const asked = offers.filter(({ kind }) => kind === 'auto')
  const wanted = {
    radiusM,
    vehicleType: job.vehicleType,
    // The sandbox rider is at the disposal of every test order.
    codMinor: job.isTest ? 0 : (job.codAmountMinor ?? 0),
    offered: new Set(asked.map(({ riderId }) => riderId!)),
  }
  const reasons = new Map(candidates.map((candidate) => [candidate, leftOut(candidate, wanted, rules)]))
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

function offerTo(candidate: Candidate, job: Job, rank: number, rules: DispatchRules, now: Date): Offer {
  const { scoreM, parts } = score(candidate, rules.loadPenaltyM)
  return {
    id: randomUUID(),
    orderId: job.orderId,
    riderId: candidate.riderId,
    merchantId: job.merchantId,
    isTest: job.isTest,
    kind: 'auto',
    state: 'pending',
    round: job.round,
    rank,
    scoreM,
    distanceM: parts.distance_m,
    loadPenaltyM: parts.load_penalty_m,
    assignmentVersion: job.assignmentVersion,
    actor: null,
    accept: true,
    lease: null,
    leaseUntil: null,
    expiresAt: new Date(now.getTime() + rules.offerTtlMs),
    createdAt: now,
    respondedAt: null,
  }
}
