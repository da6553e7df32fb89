import { askedTogether, byRank, type Candidate, leftOut } from './candidate.ts'
import type { DispatchRules, MerchantRules } from './dispatch-rules.ts'
import type { Job } from './job.ts'
import { type Offer, offerTo } from './offer.ts'
import { nextLookAt, type SearchStep } from './search-step.ts'
import { type Judged, type RecordedCandidate, traced } from './trace.ts'

interface Asking {
  job: Job
  step: SearchStep
  /** Every offer of the order so far. */
  offers: readonly Offer[]
  candidates: readonly Candidate[]
  /** What is recorded of the present round. */
  recorded: readonly RecordedCandidate[]
  merchant: MerchantRules
  rules: DispatchRules
  now: Date
}

/** A look of a round at its riders, as it is recorded. */
export interface RoundLook {
  orderId: string
  merchantId: string
  round: number
  radiusM: number
  isNew: boolean
  candidates: RecordedCandidate[]
}

interface Asked {
  job: Job
  offers: Offer[]
  looks: RoundLook[]
}

/**
 * Puts the order to the next riders of the present round, or of the first wider one that has any. A pass that has been
 * through all rounds begins anew after a pause; one that asked no rider leaves its numbers to the next.
 */
export function askRiders(asking: Asking): Asked {
  const { rules, offers, step, now } = asking
  const looks: RoundLook[] = []
  let made: Offer[] = []
  let job = asking.job
  for (;;) {
    if (job.step > 0) {
      const { look, offers: toRiders } = lookOf({ ...asking, job }, job.round > asking.job.round)
      looks.push(look)
      made = toRiders
      if (made.length > 0) break
    }
    if (job.step >= rules.radiiM.length) {
      const hasAsked = offers.some(({ kind, round }) => kind === 'auto' && round > job.round - rules.radiiM.length)
      job = { ...job, step: 0, round: hasAsked ? job.round : job.round - rules.radiiM.length }
      break
    }
    job = { ...job, step: job.step + 1, round: job.round + 1 }
  }
  return { job: { ...job, nextAt: nextLookAt(job, step, rules, now) }, offers: made, looks }
}

/** One look of a round, with the offers to those whom it found. */
function lookOf(
  { job, offers, candidates, recorded, merchant, rules, now }: Asking,
  isNew: boolean,
): { look: RoundLook; offers: Offer[] } {
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
  const rest = candidates.filter((candidate) => reasons.get(candidate) !== null)
  const judged = [...ranked, ...rest].map(
    (candidate): Judged => ({
      candidate,
      reason: reasons.get(candidate) ?? null,
      rank: rankOf.get(candidate) ?? null,
    }),
  )
  const inRound = new Set(isNew ? [] : asked.filter(({ round }) => round === job.round).map(({ riderId }) => riderId!))
  const { orderId, merchantId, round } = job
  const seen = traced(isNew ? [] : recorded, judged, inRound, rules.loadPenaltyM)
  return {
    look: { orderId, merchantId, round, radiusM, isNew, candidates: seen },
    offers: askedTogether(ranked, merchant).map((candidate) =>
      offerTo(candidate, job, rankOf.get(candidate)!, rules, now),
    ),
  }
}
