import type { Part } from '@svc/lifecycle'
import type { Logger } from '@svc/logging'
import type { Context } from './context.ts'
import type { Dispatch } from './dispatch.ts'
import { carryOutAssignment } from './use-cases/carry-out-assignment.ts'

const POLL_MS = 1_000

export interface AssignmentWorker extends Part {
  /** Tries to give this order to its rider now; never fails. */
  drive(orderId: string): Promise<void>
}

/** Gives orders to the riders that their creation named, those first whose turn was missed; many replicas may run at once. */
export function assignmentWorker(
  ctx: Pick<Context, 'transact'> & { logger: Logger; dispatch: Dispatch | null },
): AssignmentWorker {
  const { dispatch, logger } = ctx
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let isStopping = false

  async function carryOut(orderId?: string): Promise<boolean> {
    if (!dispatch) return false
    try {
      return await carryOutAssignment({ ...ctx, dispatch }, orderId)
    } catch (err) {
      logger.error({ err, order_id: orderId }, 'an assignment failed; it stays due')
      return false
    }
  }

  async function round(): Promise<void> {
    while (!isStopping && (await carryOut()));
    if (!isStopping) timer = setTimeout(start, POLL_MS)
  }

  function start(): void {
    running = round()
  }

  return {
    name: 'assignment-worker',
    async drive(orderId) {
      await carryOut(orderId)
    },
    async start() {
      if (dispatch) start()
    },
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await running
    },
  }
}
