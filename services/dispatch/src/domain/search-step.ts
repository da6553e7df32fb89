import type { DispatchRules, MerchantRules } from './dispatch-rules.ts'
import { isWaiting, type Job, type Search } from './job.ts'
import { isOpen, type Offer } from './offer.ts'
import { isTerminal } from './terminal.ts'

/** What is to be done about an order at this moment. */
export interface SearchStep {
  search: Search
  searchStartedAt: Date | null
  /** When to look again; null: when something about the order changes. Without meaning with `ask`. */
  nextAt: Date | null
  /** Riders may be asked now. */
  ask: boolean
  /** Offers that were not answered in time, and offers that no longer stand. */
  expired: string[]
  withdrawn: string[]
  announceDelayed: boolean
  announceExhausted: boolean
}

interface Situation {
  job: Job
  offers: readonly Offer[]
  merchant: MerchantRules
  rules: DispatchRules
  /** When the merchant's schedule is open next: `now` itself while it is; null: never. */
  opensAt: Date | null
  now: Date
}

/** A schedule may be changed while it is closed. */
const CLOSED_LOOK_MS = 600_000
const UNDER_WAY_LOOK_MS = 1_000
const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms)
const earliest = (...moments: Date[]): Date => new Date(Math.min(...moments.map(Number)))
const latest = (...moments: Date[]): Date => new Date(Math.max(...moments.map(Number)))

/** The next step of automatic dispatch, from what is known and nothing else. */
export function searchStep({ job, offers, merchant, rules, opensAt, now }: Situation): SearchStep {
  const pending = offers.filter((offer) => offer.state === 'pending')
  const open = pending.filter((offer) => isOpen(offer, now))
  const base = {
    search: job.search,
    searchStartedAt: job.searchStartedAt,
    ask: false,
    expired: pending.filter((offer) => !open.includes(offer)).map(({ id }) => id),
    withdrawn: [],
    announceDelayed: false,
    announceExhausted: false,
  }
  const underWay = offers.find((offer) => offer.state === 'accepting')
  // Never a moment that has passed: finishing it has the order looked at.
  if (underWay) return { ...base, nextAt: latest(underWay.leaseUntil ?? now, after(now, UNDER_WAY_LOOK_MS)) }

  const isRehearsed = job.rehearsal !== null
  if (!(merchant.autoDispatch || isRehearsed) || !isWaiting(job)) {
    const search = isTerminal(job.status) ? 'closed' : 'idle'
    return { ...base, search, searchStartedAt: null, nextAt: null, withdrawn: open.map(({ id }) => id) }
  }
  const begin = latest(job.orderCreatedAt, after(job.scheduledPickupAt, -rules.leadMs))
  if (job.searchStartedAt === null && begin > now && !isRehearsed) return { ...base, search: 'idle', nextAt: begin }
  if (open.length === 0 && (opensAt === null || opensAt > now) && !isRehearsed) {
    // What was begun begins anew: closed hours are no delay.
    return {
      ...base,
      search: 'idle',
      searchStartedAt: null,
      nextAt: earliest(opensAt ?? after(now, CLOSED_LOOK_MS), after(now, CLOSED_LOOK_MS)),
    }
  }
  return underSearch({ ...base, searchStartedAt: job.searchStartedAt ?? now }, open, { job, rules, now })
}

/** The next step of a search that has begun. */
function underSearch(
  base: Omit<SearchStep, 'nextAt'> & { searchStartedAt: Date },
  open: readonly Offer[],
  { job, rules, now }: Pick<Situation, 'job' | 'rules' | 'now'>,
): SearchStep {
  const delayedAt = after(base.searchStartedAt, rules.delayedAfterMs)
  const exhaustedAt = after(base.searchStartedAt, rules.exhaustedAfterMs)
  const step: SearchStep = {
    ...base,
    search: job.search === 'exhausted' ? 'exhausted' : 'searching',
    nextAt: null,
    announceDelayed: job.delayedAt === null && delayedAt <= now,
  }
  if (open.length > 0) {
    const milestones = job.delayedAt === null && delayedAt > now ? [delayedAt] : []
    return { ...step, nextAt: earliest(...open.map(({ expiresAt }) => expiresAt), ...milestones) }
  }
  if (step.search === 'searching' && exhaustedAt <= now) {
    return { ...step, search: 'exhausted', announceExhausted: true, nextAt: retryAt(job, rules, now) }
  }
  if (step.search === 'exhausted' && now > job.deliveryWindowEnd) return step
  return { ...step, ask: true }
}

/**
 * When to look again after riders were asked, or none were left to ask: when the offers end, or that much later; for an
 * exhausted search whose pass is through at its next try, or never once the delivery window has ended.
 */
export function nextLookAt(job: Job, step: SearchStep, rules: DispatchRules, now: Date): Date | null {
  if (step.search === 'exhausted' && job.step === 0) return retryAt(job, rules, now)
  const startedAt = step.searchStartedAt ?? now
  const milestones = [after(startedAt, rules.delayedAfterMs), after(startedAt, rules.exhaustedAfterMs)]
  return earliest(after(now, rules.offerTtlMs), ...milestones.filter((moment) => moment > now))
}

function retryAt(job: Job, rules: DispatchRules, now: Date): Date | null {
  const at = after(now, rules.retryMs)
  return at <= job.deliveryWindowEnd ? at : null
}
