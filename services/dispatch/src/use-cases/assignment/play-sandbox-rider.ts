import { SANDBOX_RIDER } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import { type By, systemCaller } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockJob, saveJob } from '../../db/jobs.ts'
import { offersOf, setOfferEnd, setOfferState } from '../../db/offers.ts'
import { openIntentKinds } from '../../db/open-intents.ts'
import type { Point } from '../../domain/coverage.ts'
import { isWaiting, type Job, type Rehearsal } from '../../domain/job.ts'
import { isOpen, type Offer, offerUnavailable } from '../../domain/offer.ts'
import { riderOrder } from '../../peers/carried-order.ts'
import { observeMoves } from '../progress/observe-moves.ts'
import { intentKind, PROGRESS } from '../progress/record-progress.ts'
import { verifyPodOtp } from '../proof/verify-pod-otp.ts'
import { acceptDispatchOffer } from './accept-dispatch-offer.ts'
import { advanceSearches, rulesOf } from './advance-searches.ts'
import { declineDispatchOffer } from './decline-dispatch-offer.ts'
import { rememberOrder } from './remember-order.ts'

export const SANDBOX_ACTS = [
  'offer',
  'search_in_vain',
  'accept',
  'decline',
  'expire',
  'delay',
  'exhaust',
  'report',
  'prove',
] as const

interface SandboxAct {
  orderId: string
  merchantId: string
  act: (typeof SANDBOX_ACTS)[number]
  /** offer: it stands for so long at least, so that the rider can take its time. */
  stayMs: number
  /** report: where the rider is. */
  point: Point | null
  /** prove: what the customer is said to have told. */
  code: string
}

/**
 * Does one act of a scenario with a test order, by the code that does it where no scenario is. What was done before is
 * found done: a repeat changes nothing more.
 */
export async function playSandboxRider(ctx: Context, by: By, given: SandboxAct): Promise<void> {
  const order = await riderOrder(ctx, by, given.orderId)
  if (!order.is_test || order.merchant_id !== given.merchantId) throw new ServiceError('not_found')
  const rider = asSandboxRider(by, given.merchantId)
  const search = (work: (tx: Tx, job: Job) => Promise<void>) =>
    ctx.transact('every tenant', async (tx) => work(tx, await rememberOrder(ctx, tx, order)))

  switch (given.act) {
    case 'offer':
      await search((tx, job) => begin(ctx, tx, job, 'rider', given.stayMs))
      break
    case 'search_in_vain':
      await search((tx, job) => begin(ctx, tx, job, 'nobody', 0))
      break
    case 'accept':
      await acceptDispatchOffer(ctx, rider, (await offerOf(ctx, given.orderId)).id)
      break
    case 'decline':
      await declineDispatchOffer(ctx, rider, (await offerOf(ctx, given.orderId)).id)
      break
    case 'expire':
      await search((tx, job) => expire(ctx, tx, job))
      break
    case 'delay':
      await search((tx, job) => letSearchLast(ctx, tx, job, rulesOf(ctx.config).delayedAfterMs))
      break
    case 'exhaust':
      await search((tx, job) => letSearchLast(ctx, tx, job, rulesOf(ctx.config).exhaustedAfterMs))
      break
    case 'report':
      // What has happened to the order meanwhile may still be on its way here.
      await search(async () => undefined)
      await report(ctx, given)
      break
    case 'prove':
      await verifyPodOtp(ctx, rider, {
        ...given,
        photoStorageKey: null,
        point: null,
        cash: { collectedMinor: null, reason: null },
      })
      break
  }
  ctx.dispatcher.wake()
  await tellProgress(ctx, given.orderId)
}

/** The order hears what the act has shown before the next one is done: it would be too late for some of it. */
async function tellProgress(ctx: Context, orderId: string): Promise<void> {
  for (const kind of await openIntentKinds(ctx.database, orderId, PROGRESS.map(intentKind))) {
    const { state } = await ctx.intents.drive(kind, orderId)
    if (state === 'open') throw new ServiceError('service_unavailable')
  }
}

/** The shared rider of the sandbox, bound to the merchant as a token of its test key would be. */
const asSandboxRider = (by: By, merchantId: string): By => ({
  caller: {
    ...systemCaller('dispatch', by.caller.requestId),
    actor: { type: 'rider', id: SANDBOX_RIDER.id },
    merchantId,
    isTest: true,
  },
  scope: { merchantId, isTest: true },
  deadline: by.deadline,
  signal: by.signal,
})

/** Looks for riders at once. What automatic dispatch has offered already stays as it is where a rider is to be found. */
async function begin(ctx: Context, tx: Tx, job: Job, rehearsal: Rehearsal, stayMs: number): Promise<void> {
  if (job.rehearsal !== null) return
  if (!isWaiting({ ...job, rehearsal })) throw new ServiceError('invalid_state', { details: { status: job.status } })
  if (rehearsal === 'nobody') await setOfferState(tx, await openOffers(tx, job.orderId), 'withdrawn')
  await advance(ctx, tx, { ...job, rehearsal })
  if (rehearsal === 'nobody') return
  const open = await openOffers(tx, job.orderId)
  if (open.length === 0) throw offerUnavailable('declined')
  const ttlMs = rulesOf(ctx.config).offerTtlMs
  await setOfferEnd(tx, open, new Date(tx.now.getTime() + ttlMs + stayMs))
}

/** The time to answer is over. */
async function expire(ctx: Context, tx: Tx, job: Job): Promise<void> {
  const open = await openOffers(tx, job.orderId)
  if (open.length === 0) return
  await setOfferEnd(tx, open, tx.now)
  await advance(ctx, tx, job)
}

/** As if the search had begun so long ago. */
async function letSearchLast(ctx: Context, tx: Tx, job: Job, ms: number): Promise<void> {
  if (job.searchStartedAt === null) throw new ServiceError('invalid_state', { details: { search: job.search } })
  const searchStartedAt = new Date(Math.min(job.searchStartedAt.getTime(), tx.now.getTime() - ms))
  await advance(ctx, tx, { ...job, searchStartedAt })
}

async function advance(ctx: Context, tx: Tx, job: Job): Promise<void> {
  await saveJob(tx, job)
  await advanceSearches(ctx, tx, [job])
}

const openOffers = async (tx: Tx, orderId: string): Promise<string[]> =>
  (await offersOf(tx, [orderId])).filter((offer) => isOpen(offer, tx.now)).map(({ id }) => id)

/** The latest offer that the sandbox rider was made. */
async function offerOf(ctx: Context, orderId: string): Promise<Offer> {
  const offers = await ctx.transact('every tenant', async (tx) => {
    await lockJob(tx, orderId)
    return offersOf(tx, [orderId])
  })
  const made = offers.findLast(({ kind, riderId }) => kind === 'auto' && riderId === SANDBOX_RIDER.id)
  if (!made) throw offerUnavailable('withdrawn')
  return made
}

async function report(ctx: Context, { merchantId, point }: SandboxAct): Promise<void> {
  if (!point) throw new ServiceError('validation_error', { details: { field: 'point' } })
  const unknown = { accuracyM: null, speedMps: null, headingDeg: null, batteryPct: null, recordedAt: null }
  const positions = [{ ...point, ...unknown }]
  const riderId = SANDBOX_RIDER.id
  const recorded = await ctx.positionLog({ riderId, merchantId, tenantId: merchantId, isTest: true, positions })
  // Seen here too: what follows waits for it.
  if (recorded?.position) await observeMoves(ctx, [{ ...recorded.position, ...point }])
}
