import { ServiceError } from '@svc/errors'
import type { Part } from '@svc/lifecycle'
import type { Context } from './context.ts'
import { claimDueJob } from './db/jobs.ts'
import { advanceSearch } from './use-cases/assignment/advance-search.ts'
import { planPayouts } from './use-cases/assignment/plan-payouts.ts'
import { takeOverAssignment } from './use-cases/assignment/take-over-assignment.ts'

/** The moments in the database are the truth: they are looked at this often even when nobody wakes the worker. */
const POLL_MS = 1_000
/** Orders worked on at the same time. */
const LANES = 4
/** An order that cannot be worked on keeps no other one waiting. */
const SET_ASIDE_SECONDS = 30

export interface DispatchWorker extends Part {
  /** There may be something due before the next look. */
  wake(): void
}

/**
 * Does what is due about orders: offers, their ends, wider rounds, unfinished assignments, and what riders would earn.
 * Replicas share the work.
 */
export function dispatchWorker(context: () => Context): DispatchWorker {
  const payouts = lane(payoutPlanner(context), context)
  const workOnJob = async (): Promise<boolean> => {
    const isWorkedOn = await workOnDueJob(context())
    if (isWorkedOn) payouts.wake()
    return isWorkedOn
  }
  const lanes = [
    payouts,
    lane(() => takeOverAssignment(context()), context),
    ...Array.from({ length: LANES }, () => lane(workOnJob, context)),
  ]
  return {
    name: 'dispatch worker',
    wake() {
      for (const one of lanes) one.wake()
    },
    async start() {
      for (const one of lanes) one.start()
    },
    async stop() {
      await Promise.all(lanes.map((one) => one.stop()))
    },
  }
}

/** Work that goes on while there is any; none holds up another. */
function lane(work: () => Promise<boolean>, context: () => Context) {
  let isStopping = false
  let isWoken = false
  let interrupt = () => {}
  let running: Promise<void> = Promise.resolve()

  async function drain(): Promise<void> {
    try {
      while (!isStopping && (await work()));
    } catch (err) {
      context().logger.error({ err }, 'dispatch could not go on; what is due stays due')
    }
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      isWoken = false
      await drain()
      if (isWoken || isStopping) continue
      const { promise, resolve } = Promise.withResolvers<void>()
      interrupt = resolve
      const timer = setTimeout(resolve, POLL_MS)
      await promise
      clearTimeout(timer)
    }
  }

  const wake = (): void => {
    isWoken = true
    interrupt()
  }
  return {
    wake,
    start(): void {
      running = run()
    },
    async stop(): Promise<void> {
      isStopping = true
      wake()
      await running
    },
  }
}

/** Plans payouts; while the wallet is away the log says so once, and the next look tries again. */
function payoutPlanner(context: () => Context): () => Promise<boolean> {
  let isAway = false
  return async () => {
    try {
      const isPlanned = await planPayouts(context())
      if (isPlanned) isAway = false
      return isPlanned
    } catch (err) {
      if (!(err instanceof ServiceError)) throw err
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
    await ctx.database.worker.query(
      `UPDATE dispatch_jobs SET next_at = app_now() + interval '${SET_ASIDE_SECONDS} seconds' WHERE order_id = $1`,
      [orderId],
    )
  }
  return orderId !== undefined
}
