import { ServiceError } from '@svc/errors'
import { type Worker, worker } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { type Age, claimDueJob, claimDueJobs, setAside } from '../db/jobs.ts'
import { advanceSandbox } from '../use-cases/advance-sandbox.ts'
import { advanceSearches } from '../use-cases/assignment/advance-searches.ts'
import { takeOverAssignment } from '../use-cases/assignment/commit.ts'
import { planPayouts } from '../use-cases/assignment/plan-payouts.ts'

/** The moments in the database are the truth: they are looked at this often even when nothing wakes the worker. */
const POLL_MS = 1_000
/** Orders that one transaction works on: it holds their locks for some milliseconds. */
const TOGETHER = 20
/**
 * Transactions that work on live orders at the same time: where one waits for a lock, another goes on. Those of sandboxes have
 * one of their own, since whoever moves the clock of a sandbox makes all that it holds due before anything live.
 */
const LANES = 2
/** An order that cannot be worked on keeps no other one waiting. */
const SET_ASIDE_SECONDS = 30

/**
 * Does what is due about orders: offers, their ends, wider rounds, unfinished assignments, and what riders would earn.
 * Replicas share the work.
 */
export function dispatchWorker(context: () => Context): Worker {
  const payouts = loop('payout-planner', 1, payoutPlanner(context))
  const searchesOf = (isTest: boolean) => async () => {
    const isWorkedOn = await workOnDueJobs(context(), isTest)
    if (isWorkedOn) payouts.wake()
    return isWorkedOn
  }
  const searches = loop('dispatch-worker', LANES, searchesOf(false))
  const rehearsed = loop('sandbox-dispatch-worker', 1, searchesOf(true))
  const sandboxes = loop('sandbox-clock', 1, async () => {
    const isMoved = await advanceSandbox(context())
    if (isMoved) rehearsed.wake()
    return isMoved
  })
  const taker = loop('assignment-taker', 1, () => takeOverAssignment(context()))
  const loops = [payouts, taker, searches, rehearsed, sandboxes]
  return {
    name: 'dispatch-worker',
    wake() {
      for (const one of loops) one.wake()
    },
    async start() {
      await Promise.all(loops.map((one) => one.start()))
    },
    async stop() {
      await Promise.all(loops.map((one) => one.stop()))
    },
  }
}

const loop = (name: string, lanes: number, work: () => Promise<boolean>): Worker =>
  worker({ name, lanes, pollMs: POLL_MS, failed: 'dispatch could not go on; what is due stays due', work })

/**
 * Plans payouts, from the oldest order on and then from the beginning: what the wallet refuses is in nobody's way. While it
 * is away the log says so once, and the next look tries again.
 */
function payoutPlanner(context: () => Context): () => Promise<boolean> {
  let isAway = false
  let after: Age | null = null
  return async () => {
    try {
      const { count, last, refusal } = await planPayouts(context(), after)
      after = last
      if (count > 0) isAway = false
      if (refusal) throw refusal
      return last !== null
    } catch (err) {
      if (!(err instanceof ServiceError && err.code === 'service_unavailable')) throw err
      if (!isAway) context().logger.warn({ err }, 'offers do not say what they pay while the wallet is away')
      isAway = true
      return false
    }
  }
}

/** Works on the orders that have been due longest; false when none is due. */
async function workOnDueJobs(ctx: Context, isTest: boolean): Promise<boolean> {
  let due: string[] = []
  try {
    await ctx.transact('every tenant', async (tx) => {
      const jobs = await claimDueJobs(tx, isTest, TOGETHER)
      due = jobs.map(({ orderId }) => orderId)
      await advanceSearches(ctx, tx, jobs)
    })
  } catch (err) {
    if (due.length === 0) throw err
    ctx.logger.warn({ err, orders: due.length }, 'orders could not be dispatched together; each is tried by itself')
    for (const orderId of due) await workOnDueJob(ctx, orderId)
  }
  return due.length > 0
}

/** Works on the order where it is still due; one that fails is set aside. */
async function workOnDueJob(ctx: Context, orderId: string): Promise<void> {
  let isClaimed = false
  try {
    await ctx.transact('every tenant', async (tx) => {
      const job = await claimDueJob(tx, orderId)
      isClaimed = job !== null
      if (job) await advanceSearches(ctx, tx, [job])
    })
  } catch (err) {
    if (!isClaimed) throw err
    ctx.logger.error({ err, order_id: orderId }, 'an order could not be dispatched; it is set aside')
    await setAside(ctx.database, orderId, SET_ASIDE_SECONDS)
  }
}
