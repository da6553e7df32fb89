import { ServiceError } from '@svc/errors'
import { type Worker, worker } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { claimDueJob, setAside } from '../db/jobs.ts'
import { advanceSearch } from '../use-cases/assignment/advance-search.ts'
import { takeOverAssignment } from '../use-cases/assignment/commit.ts'
import { planPayouts } from '../use-cases/assignment/plan-payouts.ts'

/** The moments in the database are the truth: they are looked at this often even when nothing wakes the worker. */
const POLL_MS = 1_000
/** Orders worked on at the same time. */
const LANES = 4
/** An order that cannot be worked on keeps no other one waiting. */
const SET_ASIDE_SECONDS = 30

/**
 * Does what is due about orders: offers, their ends, wider rounds, unfinished assignments, and what riders would earn.
 * Replicas share the work.
 */
export function dispatchWorker(context: () => Context): Worker {
  const payouts = loop('payout-planner', 1, payoutPlanner(context))
  const loops = [
    payouts,
    loop('assignment-taker', 1, () => takeOverAssignment(context())),
    loop('dispatch-worker', LANES, async () => {
      const isWorkedOn = await workOnDueJob(context())
      if (isWorkedOn) payouts.wake()
      return isWorkedOn
    }),
  ]
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

/** Plans payouts; while the wallet is away the log says so once, and the next look tries again. */
function payoutPlanner(context: () => Context): () => Promise<boolean> {
  let isAway = false
  return async () => {
    try {
      const isPlanned = await planPayouts(context())
      if (isPlanned) isAway = false
      return isPlanned
    } catch (err) {
      if (!(err instanceof ServiceError && err.code === 'service_unavailable')) throw err
      if (!isAway) context().logger.warn({ err }, 'offers do not say what they pay while the wallet is away')
      isAway = true
      return false
    }
  }
}

/** Works on the order that has been due longest; false when none is due. */
async function workOnDueJob(ctx: Context): Promise<boolean> {
  let orderId: string | undefined
  try {
    await ctx.transact('every tenant', async (tx) => {
      const job = await claimDueJob(tx)
      orderId = job?.orderId
      if (job) await advanceSearch(ctx, tx, job)
    })
  } catch (err) {
    if (!orderId) throw err
    ctx.logger.error({ err, order_id: orderId }, 'an order could not be dispatched; it is set aside')
    await setAside(ctx.database, orderId, SET_ASIDE_SECONDS)
  }
  return orderId !== undefined
}
