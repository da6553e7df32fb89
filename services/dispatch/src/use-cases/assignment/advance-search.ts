import { auditOf, type Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { saveJob } from '../../db/jobs.ts'
import { merchantRules, opensAt } from '../../db/merchant-rules.ts'
import { offersOf, setOfferState } from '../../db/offers.ts'
import type { Job } from '../../domain/job.ts'
import { type SearchStep, searchStep } from '../../domain/search-step.ts'
import { openProgress } from '../progress/open-progress.ts'
import { askRiders } from './ask-riders.ts'
import { rulesOf } from './rules-of.ts'

/** Does what is due about an order and settles when it is looked at again. The job is locked. */
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
