import type { TracedCandidate } from '@svc/contracts/dispatch/v1/assignment_service'
import { type Candidate, type LeftOut, score } from './candidate.ts'

/** How one look of a round judged a rider. */
export interface Judged {
  candidate: Candidate
  reason: LeftOut | null
  /** Counts on over the whole order; null for those left out. */
  rank: number | null
}

/** Riders that the record of a round keeps: riders that could be asked before those that could not, nearest first. */
export const TRACED_RIDERS = 200

/** A rider in the record of a round; only operators and those who know the rider are told the distance itself. */
export interface RecordedCandidate extends TracedCandidate {
  strange_distance_m?: number | undefined
}

/** The record of a round after a further look: a rider asked in it stays as it was then. */
export function traced(
  earlier: readonly RecordedCandidate[],
  judged: readonly Judged[],
  askedInRound: ReadonlySet<string>,
  loadPenaltyM: number,
): RecordedCandidate[] {
  const kept = earlier.filter(({ rider_id }) => askedInRound.has(rider_id))
  const anew = judged.filter(({ candidate }) => !askedInRound.has(candidate.riderId))
  const included = anew.filter(({ reason }) => reason === null)
  const excluded = anew.filter(({ reason }) => reason !== null)
  const rest = [...included, ...excluded].map((one) => tracedCandidate(one, loadPenaltyM))
  return [...kept, ...rest].slice(0, TRACED_RIDERS)
}

function tracedCandidate({ candidate, reason, rank }: Judged, loadPenaltyM: number): RecordedCandidate {
  const { scoreM, parts } = score(candidate, loadPenaltyM)
  const isLocated = candidate.distanceM !== null
  return {
    rider_id: candidate.riderId,
    included: reason === null,
    rank: rank ?? undefined,
    reason: reason ?? undefined,
    distance_m: candidate.distanceM ?? undefined,
    strange_distance_m: candidate.strangeDistanceM ?? undefined,
    score_m: isLocated ? scoreM : undefined,
    score_parts: isLocated ? parts : undefined,
  }
}
