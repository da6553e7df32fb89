import { type Part, worker } from '@svc/lifecycle'
import type { Logger } from '@svc/logging'
import type { Context } from '../context.ts'
import type { Dispatch } from '../peers/dispatch.ts'
import { carryOutAssignment } from '../use-cases/carry-out-assignment.ts'

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

  async function carryOut(orderId?: string): Promise<boolean> {
    if (!dispatch) return false
    return carryOutAssignment({ ...ctx, dispatch }, orderId)
  }

  return {
    ...worker({
      name: 'assignment-worker',
      pollMs: POLL_MS,
      failed: 'an assignment failed; it stays due',
      work: () => carryOut(),
    }),
    async drive(orderId) {
      await carryOut(orderId).catch((err: unknown) =>
        logger.error({ err, order_id: orderId }, 'an assignment failed; it stays due'),
      )
    },
  }
}
