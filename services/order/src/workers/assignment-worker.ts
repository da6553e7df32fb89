import { type Part, worker } from '@svc/lifecycle'
import type { Logger } from '@svc/logging'
import type { Context } from '../context.ts'
import { carryOutAssignment } from '../use-cases/carry-out-assignment.ts'

const POLL_MS = 1_000

export interface AssignmentWorker extends Part {
  /** Tries to give this order to its rider now; never fails. */
  drive(orderId: string): Promise<void>
}

/** Gives orders to the riders that their creation named, those first that are overdue; many replicas may run at once. */
export function assignmentWorker(ctx: Pick<Context, 'transact' | 'dispatch'> & { logger: Logger }): AssignmentWorker {
  return {
    ...worker({
      name: 'assignment-worker',
      pollMs: POLL_MS,
      failed: 'an assignment failed; it stays due',
      work: () => carryOutAssignment(ctx),
    }),
    async drive(orderId) {
      await carryOutAssignment(ctx, orderId).catch((err: unknown) =>
        ctx.logger.error({ err, order_id: orderId }, 'an assignment failed; it stays due'),
      )
    },
  }
}
