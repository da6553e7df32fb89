import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findOrder } from '../db/orders.ts'
import { scenarioOf } from '../db/scenario-steps.ts'
import type { StepRow } from '../domain/scenario.ts'
import { requireSimulator } from '../domain/simulator.ts'

/** The steps of the order's scenario; not_found where it has none, and for orders of others alike. */
export function getScenario(
  ctx: Context,
  { caller, scope }: By<Tenant>,
  { orderId }: { orderId: string },
): Promise<StepRow[]> {
  requireSimulator(ctx.config, caller)
  return ctx.transact(scope, async (tx) => {
    const { id } = await findOrder(tx.em, scope, orderId)
    const steps = await scenarioOf(tx, id)
    if (steps === null || steps === 'automatic') throw new ServiceError('not_found')
    return steps
  })
}
